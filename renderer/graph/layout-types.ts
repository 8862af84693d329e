/** What the layout takes and gives. */

export interface LayoutOptions {
  /** Px that the picture may fill at 100 %. */
  readonly width: number;
  readonly height: number;
  /** Length of each box's label in characters; boxes of a row get the width of the longest, within limits. */
  readonly labelLength: Uint8Array;
  /** Place of each box in the last layout's order, -1 for new ones; without it the order is found afresh. */
  readonly previous?: Float64Array;
}

/** A row with its label at the left. */
export interface Band {
  readonly level: number;
  /** Centre of the row. */
  readonly y: number;
  readonly boxes: number;
  readonly hosts: number;
}

/** Direction in which higher tiers lie, as seen from a box: hosts hang on the other side. */
export const facing = { up: 0, right: 1, down: 2, left: 3 } as const;

/** Added to {@link facing} of a box without a tier: links leave it on the side that is nearest, but not through its hosts. */
export const freeEnds = 4;

/** Outline of a pod, a group or a plane of the core. */
export interface Frame {
  /** Position in the analysis' list of pods or groups; of a plane: in the picture. -1 for what stands alone. */
  readonly cluster: number;
  /** `Pod 3`, `Group 3`, `Plane 3`. */
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly facing: number;
}

export interface Layout {
  /** Centres and sizes of boxes. */
  readonly boxX: Float32Array;
  readonly boxY: Float32Array;
  readonly boxWidth: Float32Array;
  readonly boxHeight: Float32Array;
  /** Centres and sizes of hosts. */
  readonly hostX: Float32Array;
  readonly hostY: Float32Array;
  readonly hostWidth: Float32Array;
  readonly hostHeight: Float32Array;
  /** Centre and width of each block's fold. */
  readonly foldX: Float32Array;
  readonly foldY: Float32Array;
  readonly foldWidth: Float32Array;
  readonly foldHeight: Float32Array;
  /** {@link facing} of each box and of each block's hosts. */
  readonly boxFacing: Uint8Array;
  readonly blockFacing: Uint8Array;
  readonly bands: readonly Band[];
  readonly frames: readonly Frame[];
  /** Core switches that serve the same spine of every pod. */
  readonly planes: readonly Frame[];
  /** Plane of each box, -1 for none. */
  readonly planeOfBox: Int32Array;
  /**
   * How links between groups run: bent towards this point, or undefined. `pull`: how much, as share of the way; `near`:
   * how much between neighbours, rising to `pull` between groups that are `reach` apart. `crowding`: how much closer the
   * links lie at it than elsewhere.
   */
  readonly hub:
    | {
        readonly x: number;
        readonly y: number;
        readonly pull: number;
        readonly near: number;
        readonly reach: number;
        readonly crowding: number;
      }
    | undefined;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Place of each box in the order of drawing, for the next layout. */
  readonly order: Float64Array;
}
