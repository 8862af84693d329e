/** Places parts: shelves of parts, lines of pods or leaves, hosts under their switches. See layout.ts. */
import { at } from "../../shared/fabric/access.ts";
import type { Column } from "./director-rows.ts";
import { facing, type LayoutOptions } from "./layout-types.ts";
import { leafPitchLeast, type Part, type Unit } from "./parts.ts";
import type { Ground } from "./place-ground.ts";
import { blockRoom, hostGrid, lineWidth, splitLines, spreadApart, widthsWithin, type HostGrid } from "./place-sums.ts";
import { boxesOfBlock, hostsOfBlock, unplacedLevel, type Structure } from "./structure.ts";

const partGap = 40;
const rowGapLeast = 96;
const shelfGap = 64;
/** Gap between lines of pods or leaves, as a share of the gap between rows. */
const lineShare = 0.6;
/** A part is wrapped only when it would be drawn smaller than this. */
const wrapBelow = 0.5;

/** Vertical measures of one shelf. */
interface Measures {
  readonly lines: number;
  /** Between rows of switches. */
  readonly rowGap: number;
  /** Between rows above the lines, and down to the first line. */
  readonly upperGap: number;
  /** Between a leaf and its first row of hosts. */
  readonly hostGap: number;
  readonly hosts: HostGrid;
}

export class Placer {
  private readonly ground: Ground;
  private readonly structure: Structure;
  private readonly options: LayoutOptions;

  constructor(ground: Ground) {
    this.ground = ground;
    this.structure = ground.structure;
    this.options = ground.options;
  }

  /** Connected parts beside each other, on as many shelves as show them largest. */
  placeParts(parts: readonly Part[]): void {
    if (parts.length === 0) return;
    const total = parts.reduce((sum, part) => sum + part.least + partGap, 0);
    const shelves = this.shelvesFor(parts, total);
    const most = Math.max(total / shelves, ...parts.map((part) => part.least));
    let shelf: Part[] = [];
    let used = 0;
    const flush = (): void => {
      if (shelf.length > 0) this.placeShelf(shelf, shelves);
      shelf = [];
      used = 0;
    };
    for (const part of parts) {
      if (used > 0 && used + part.least > most * 1.02) flush();
      shelf.push(part);
      used += part.least + partGap;
    }
    flush();
  }

  private shelvesFor(parts: readonly Part[], total: number): number {
    const tall = Math.max(...parts.map((part) => part.upper.length + (part.hasMiddle ? 2 : 1))) * rowGapLeast + 40;
    let best = 1;
    let bestScale = 0;
    for (let shelves = 1; shelves <= parts.length; shelves++) {
      const scale = Math.min(1, (this.options.width / total) * shelves, this.options.height / (shelves * tall));
      if (scale <= bestScale * 1.15) continue;
      best = shelves;
      bestScale = scale;
    }
    return best;
  }

  private placeShelf(parts: readonly Part[], shelves: number): void {
    const top = this.ground.cursorY === 0 ? 0 : this.ground.cursorY + shelfGap;
    const gaps = (parts.length - 1) * partGap;
    const alone = parts.length === 1 ? parts[0] : undefined;
    const lines = alone === undefined ? 1 : this.linesFor(alone);
    const least = alone === undefined ? parts.reduce((sum, part) => sum + part.least, 0) : lineWidth(alone, lines);
    const stretch = Math.max(
      1,
      Math.min(this.largestPitch(parts) / leafPitchLeast, (this.options.width - gaps) / least),
    );
    const measures = this.measure(parts, lines, stretch, least * stretch + gaps, this.options.height / shelves);
    const levels = Math.max(...parts.map((part) => part.upper.length));
    let x = 0;
    for (const part of parts) {
      const width = alone === undefined ? part.least * stretch : least * stretch;
      this.placePart(
        part,
        { x, top: top + (levels - part.upper.length) * measures.upperGap, width, stretch },
        measures,
      );
      x += width + partGap;
    }
  }

  /** Few leaves spread out, so far that their hosts get room for their names. */
  private largestPitch(parts: readonly Part[]): number {
    return Math.max(260, Math.min(960, this.mostHosts(parts) * 80));
  }

  private mostHosts(parts: readonly Part[]): number {
    return this.ground.mostHosts(parts.flatMap((part) => part.units.flatMap((unit) => unit.low)));
  }

  private sharesHosts(parts: readonly Part[]): boolean {
    return parts.some((part) =>
      part.units.some((unit) =>
        unit.low.some((box) =>
          (this.ground.blocksOfBox[box] ?? []).some((block) => boxesOfBlock(this.structure, block).length > 2),
        ),
      ),
    );
  }

  /** Lines into which a wide part wraps: only when that shows it clearly larger. */
  private linesFor(part: Part): number {
    const { width, height } = this.options;
    let best = 1;
    let bestScale = 0;
    const most = Math.min(part.units.length, 12);
    for (let lines = 1; lines <= most; lines++) {
      const rowsOfLine = part.hasMiddle ? 2 : 1;
      const tall = (part.upper.length + lines * rowsOfLine) * rowGapLeast;
      const scale = Math.min(1, width / lineWidth(part, lines), height / tall);
      if (scale <= bestScale * 1.3 || bestScale > wrapBelow) continue;
      best = lines;
      bestScale = scale;
    }
    return best;
  }

  private measure(parts: readonly Part[], lines: number, stretch: number, width: number, height: number): Measures {
    const scale = Math.min(1, this.options.width / width);
    const target = height / scale;
    const pitch = this.leastPitch(parts, lines, stretch, width);
    const grid = hostGrid(pitch, this.mostHosts(parts));
    const anyHosts = this.mostHosts(parts) > 0;
    // Hosts on several leaves cross over each other below them: that needs room.
    const tangled = this.sharesHosts(parts) ? 2 : 1;
    const hostGap = anyHosts ? tangled * Math.max(44, Math.min(target * 0.15, 78 / Math.sqrt(scale))) : 0;
    const hostRows = anyHosts ? hostGap + (grid.rows - 1) * grid.rowStep + grid.height / 2 : 11;
    const upper = Math.max(...parts.map((part) => part.upper.length));
    const pods = parts.some((part) => part.hasMiddle) ? 1 : 0;
    // From the top rows down to several lines of pods or leaves goes everything: that gap is wider.
    const upperShare = lines > 1 ? 1.5 : 1;
    const gaps = upper * upperShare + lines * pods + (lines - 1) * lineShare;
    const free = target - lines * hostRows - 24;
    const gap = gaps === 0 ? 0 : Math.max(rowGapLeast, Math.min(free / gaps, 90 + width * 0.5));
    return { lines, rowGap: gap, upperGap: gap * upperShare, hostGap, hosts: grid };
  }

  private leastPitch(parts: readonly Part[], lines: number, stretch: number, width: number): number {
    let least = Infinity;
    for (const part of parts) {
      const most = Math.max(1, Math.ceil(part.units.length / lines));
      for (const unit of part.units) {
        const unitWidth = part.hasPods
          ? unit.least * stretch * 0.94
          : parts.length === 1
            ? width / most
            : unit.least * stretch;
        least = Math.min(least, unitWidth / Math.max(1, unit.low.length));
      }
    }
    return Number.isFinite(least) ? least : leafPitchLeast;
  }

  private placePart(
    part: Part,
    at0: { readonly x: number; readonly top: number; readonly width: number; readonly stretch: number },
    measures: Measures,
  ): void {
    const { x, width } = at0;
    let y = at0.top + 12;
    for (const row of [...part.upper].reverse()) {
      const pitch = this.placeUpper(row, part.columns, x, width, y);
      // Chips of a director that reaches over several rows are in no plane: their box is what they fold into.
      const free = row.filter((box) => !part.columns.some(({ boxes, ofDirector }) => ofDirector && boxes.has(box)));
      if (part.hasPods) this.framePlanes(free, part.planeOfBox, pitch, y, measures.upperGap);
      y += measures.upperGap;
    }
    const perLine = splitLines(part.units, measures.lines);
    for (const line of perLine) {
      const used = line.reduce((sum, unit) => sum + unit.least, 0);
      // All lines keep one pitch, also a last one that is not full.
      const lineStretch = width / Math.max(1, measures.lines > 1 ? lineWidth(part, measures.lines) : used);
      const { hasPods: pods, hasMiddle: middle } = part;
      y = this.placeLine(line, { x, y, stretch: lineStretch, pods, middle }, measures);
    }
    this.ground.cursorY = Math.max(this.ground.cursorY, y - measures.rowGap * lineShare);
  }

  /** An upper row, in the columns of directors where there are some; returns the least distance of two boxes. */
  private placeUpper(row: readonly number[], columns: readonly Column[], x: number, width: number, y: number): number {
    if (!row.some((box) => columns.some(({ boxes }) => boxes.has(box)))) {
      this.placeRow(row, x, width, y);
      return width / row.length;
    }
    const total = columns.reduce((sum, { most }) => sum + most, 0);
    let left = x;
    let least = Infinity;
    for (const { boxes, most } of columns) {
      const own = row.filter((box) => boxes.has(box));
      const room = (width * most) / total;
      this.placeRow(own, left, room, y);
      if (own.length > 0) least = Math.min(least, room / own.length);
      left += room;
    }
    return least;
  }

  /** One line of pods or leaves with their hosts; returns where the next line starts. */
  private placeLine(
    line: readonly Unit[],
    from: {
      readonly x: number;
      readonly y: number;
      readonly stretch: number;
      readonly pods: boolean;
      readonly middle: boolean;
    },
    measures: Measures,
  ): number {
    let { x } = from;
    const lowY = from.middle ? from.y + measures.rowGap : from.y;
    const boxes: number[] = [];
    for (const unit of line) {
      const width = unit.least * from.stretch;
      const inner = from.pods ? width * 0.94 : width;
      const left = x + (width - inner) / 2;
      if (from.pods) this.placeRow(unit.middle, left, inner, from.y);
      this.placeRow(unit.low, left, inner, lowY);
      boxes.push(...unit.low, ...unit.middle);
      x += width;
    }
    const hostsBottom = this.placeHosts(boxes, lowY + measures.hostGap, from.x, x - from.x, measures.hosts);
    if (from.pods) this.frameUnits(line, from, hostsBottom);
    return Math.max(hostsBottom, lowY + 11) + measures.rowGap * lineShare;
  }

  private frameUnits(
    line: readonly Unit[],
    from: { readonly x: number; readonly y: number; readonly stretch: number },
    bottom: number,
  ): void {
    let { x } = from;
    for (const unit of line) {
      const width = unit.least * from.stretch;
      const y = from.y - 26;
      const { cluster } = unit;
      const name = cluster < 0 ? "Apart" : `Pod ${cluster + 1}`;
      const box = { x: x + width * 0.015, y, width: width * 0.97, height: bottom + 10 - y };
      this.ground.frames.push({ ...box, cluster, name, facing: facing.up });
      x += width;
    }
  }

  /** Outlines of the planes in a row of core switches, as tall as makes a readable block from far. */
  private framePlanes(row: readonly number[], planeOfBox: Int32Array, pitch: number, y: number, gap: number): void {
    const byPlane = new Map<number, number[]>();
    for (const box of row) {
      const plane = at(planeOfBox, box);
      if (plane < 0) continue;
      const list = byPlane.get(plane);
      if (list === undefined) byPlane.set(plane, [box]);
      else list.push(box);
    }
    const scale = Math.min(1, this.options.width / Math.max(1, pitch * row.length));
    const height = Math.max(26, Math.min(42 / scale, gap * 0.4));
    for (const list of byPlane.values()) {
      const cluster = this.ground.planes.length;
      const xs = list.map((box) => at(this.ground.layout.boxX, box));
      for (const box of list) this.ground.layout.planeOfBox[box] = cluster;
      const least = Math.min(...xs);
      const width = Math.max(...xs) - least + pitch * 0.86;
      const box = { x: least - pitch * 0.43, y: y - height / 2, width, height };
      const name = byPlane.size === 1 ? "Core" : `Plane ${cluster + 1}`;
      this.ground.planes.push({ ...box, cluster, name, facing: facing.up });
    }
  }

  private placeRow(row: readonly number[], x: number, width: number, y: number): void {
    if (row.length === 0) return;
    const pitch = width / row.length;
    const wanted = this.ground.boxWidth(at(this.structure.boxLevel, row[0] ?? 0), row);
    row.forEach((box, i) => {
      const level = at(this.structure.boxLevel, box);
      const height = level <= 1 ? 22 : level === 2 ? 24 : 26;
      const boxWidth = Math.min(wanted, pitch - Math.min(14, pitch * 0.16));
      this.ground.placeBox(box, x + (i + 0.5) * pitch, y, boxWidth, height);
      this.ground.addBand(level, y, 1, 0);
    });
  }

  /** Blocks of the given boxes in one row, each below the middle of its switches, pushed apart where they meet. Returns the bottom. */
  private placeHosts(boxes: readonly number[], y: number, x: number, width: number, grid: HostGrid): number {
    const list = this.ground.takeBlocks(boxes);
    if (list.length === 0) return y - grid.height;
    const total = list.reduce((sum, block) => sum + hostsOfBlock(this.structure, block).length, 0);
    const rooms = list.map((block) => blockRoom(hostsOfBlock(this.structure, block).length, grid));
    const wanted = rooms.reduce((sum, room) => sum + room.width, 0);
    const squeeze = Math.min(1, (width * 0.98) / wanted);
    const entries = list
      .map((block, i) => ({
        block,
        centre: this.middleOf(block),
        width: (rooms[i]?.width ?? 0) * squeeze,
        inset: (rooms[i]?.inset ?? 0) * squeeze,
      }))
      .sort((a, b) => a.centre - b.centre || a.block - b.block);
    spreadApart(entries, x, x + width);
    const folds = widthsWithin(entries, (entry) => Math.min(54, Math.max(entry.width, grid.step * 3) * 0.96));
    entries.forEach(({ block, centre, width: room, inset }, k) => {
      const hosts = hostsOfBlock(this.structure, block);
      const step = (room - 2 * inset) / Math.max(1, hosts.length - 1);
      hosts.forEach((host, i) => {
        const hostX = hosts.length === 1 ? centre : centre - room / 2 + inset + i * step;
        const hostY = y + (i % grid.rows) * grid.rowStep;
        this.ground.placeHost(host, hostX, hostY, grid.width * squeeze, grid.height);
      });
      this.ground.placeFold(block, centre, y + 3, folds[k] ?? 0);
    });
    this.ground.addBand(0, y, 0, total);
    return y + (grid.rows - 1) * grid.rowStep + grid.height / 2;
  }

  private middleOf(block: number): number {
    const boxes = boxesOfBlock(this.structure, block);
    return boxes.reduce((sum, box) => sum + at(this.ground.layout.boxX, box), 0) / boxes.length;
  }

  /** Boxes without a tier, and hosts that hang on no switch, below everything else. */
  placeRest(unplaced: readonly number[]): void {
    const { width } = this.options;
    const most = Math.max(width, ...this.ground.layout.boxX);
    const grid = hostGrid(64, 8);
    let y = this.ground.cursorY === 0 && this.ground.isEmpty ? 0 : this.ground.cursorY + shelfGap;
    const firstY = y + 12;
    const perLine = Math.max(1, Math.floor(most / 84));
    for (let first = 0; first < unplaced.length; first += perLine) {
      const line = unplaced.slice(first, first + perLine);
      this.placeRow(line, 0, line.length * 84, y + 12);
      const bottom = this.placeHosts(line, y + 60, 0, line.length * 84, grid);
      y = Math.max(bottom, y + 24) + 30;
    }
    const loose = this.ground.restOfBlocks();
    for (const block of loose) {
      const hosts = hostsOfBlock(this.structure, block);
      const cells = Math.max(1, Math.floor(most / 62));
      hosts.forEach((host, i) => {
        this.ground.placeHost(host, ((i % cells) + 0.5) * 62, y + 12 + Math.floor(i / cells) * 30, 54, 20);
      });
      this.ground.placeFold(block, 31, y + 12, 54);
      this.ground.addBand(0, y + 12, 0, hosts.length);
      y += 30 * Math.ceil(hosts.length / cells) + 10;
    }
    if (unplaced.length > 0 && loose.length === 0) this.ground.addBand(unplacedLevel, firstY, 0, 0);
    this.ground.cursorY = y;
  }
}
