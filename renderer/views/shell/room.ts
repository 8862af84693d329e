import { useSyncExternalStore } from "react";

/** What gives way at the present size of the window; each step includes those before it. */
export interface Room {
  readonly width: number;
  readonly height: number;
  /** Height < 840 or width < 1366: the bottom panel is its tab strip and opens over the canvas. */
  readonly panelFolds: boolean;
  /** Width < 1366: the inspector is 344 px and drops secondary remarks. */
  readonly narrow: boolean;
  /** Width < 1240: chips lose words. */
  readonly narrower: boolean;
  /** Width < 1100: the rail is 48 px without labels, the inspector a drawer over the canvas. */
  readonly tight: boolean;
}

/** Pure: the steps of giving way by size in px. */
export function roomFor(width: number, height: number): Room {
  return {
    width,
    height,
    panelFolds: height < 840 || width < 1366,
    narrow: width < 1366,
    narrower: width < 1240,
    tight: width < 1100,
  };
}

/** True when the bottom panel opens over the picture: there is little room and the user has not set its height by hand. */
export function panelFloats(room: Room, setByHand: boolean): boolean {
  return room.panelFolds && !setByHand;
}

let current = roomFor(globalThis.innerWidth, globalThis.innerHeight);

function subscribe(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}

function snapshot(): Room {
  if (current.width !== window.innerWidth || current.height !== window.innerHeight) {
    current = roomFor(window.innerWidth, window.innerHeight);
  }
  return current;
}

/** The room that the window has at this moment, outside React. */
export function presentRoom(): Room {
  return snapshot();
}

/** The room that the window has now. */
export function useRoom(): Room {
  return useSyncExternalStore(subscribe, snapshot);
}
