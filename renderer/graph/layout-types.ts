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

/** Outline of a pod. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** From 1, left to right. */
  readonly number: number;
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
  readonly bands: readonly Band[];
  readonly frames: readonly Frame[];
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Place of each box in the order of drawing, for the next layout. */
  readonly order: Float64Array;
}
