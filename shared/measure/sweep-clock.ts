/**
 * How long a running sweep will still take. A round is one turn of all its pairs, and more turns where pairs that were
 * exchanged after their trace met others. What turns really took, and how many were needed, counts from the first on.
 */
import { pairsThatMayWait, type SweepItem } from "./sweep.ts";

/** Where a running sweep stands. */
export interface SweepPlace {
  /** From 1. */
  readonly round: number;
  /** Of the round, from 1: pairs that met others have their turn after them. */
  readonly turn: number;
  /** Links of this round that wait for another turn. */
  readonly waiting: number;
}

/** Before anything has run: a round with guessed pairs needs one more turn. Counts as much as one round that was seen. */
const supposed = { turns: 1, rounds: 1 } as const;

/** Keeps time of one sweep. Milliseconds since 1970 from `now`; all else in seconds. */
export class SweepClock {
  private readonly now: () => number;
  private readonly plannedTurn: number;
  /** By round: pairs that may wait, of those that are still to be measured; undefined for a round that is done already. */
  private readonly mayWait: readonly (number | undefined)[];
  private round = 1;
  private turn = 1;
  private waiting = 0;
  private turnStarted: number;
  private pausedAt: number | undefined;
  private turns = 0;
  private turnSeconds = 0;
  private extraTurns: number = supposed.turns;
  private roundsSeen: number = supposed.rounds;
  /** Rounds after the one that runs, and of these the ones with pairs that may wait. */
  private roundsToCome = 0;
  private openRoundsToCome = 0;

  /** `left`: by round, the items that are still to be measured. */
  constructor(plannedTurn: number, left: readonly (readonly SweepItem[])[], now: () => number) {
    this.now = now;
    this.plannedTurn = plannedTurn;
    this.mayWait = left.map((items) => (items.length === 0 ? undefined : pairsThatMayWait(items)));
    this.turnStarted = now();
    this.lookAhead();
  }

  take({ round, turn, waiting }: SweepPlace): void {
    this.waiting = waiting;
    if (round === this.round && turn === this.turn) return;
    this.endTurn();
    if (round !== this.round) {
      if ((this.mayWait[this.round - 1] ?? 0) > 0) {
        this.extraTurns += this.turn - 1;
        this.roundsSeen += 1;
      }
      this.round = round;
      this.lookAhead();
    }
    this.turn = turn;
  }

  pause(): void {
    this.pausedAt ??= this.now();
  }

  /** A pause is no part of what a turn takes. */
  resume(): void {
    if (this.pausedAt !== undefined) this.turnStarted += this.now() - this.pausedAt;
    this.pausedAt = undefined;
  }

  get secondsLeft(): number {
    const usual = this.turns === 0 ? this.plannedTurn : this.turnSeconds / this.turns;
    const extra = this.extraTurns / this.roundsSeen;
    const inThis = Math.min(usual, ((this.pausedAt ?? this.now()) - this.turnStarted) / 1000);
    const turnsToCome = this.moreTurns(extra) + this.roundsToCome + extra * this.openRoundsToCome;
    return Math.max(0, Math.round((turnsToCome + 1) * usual - inThis));
  }

  /** Turns of this round after the one that runs: as many as can wait at most; some while somebody waits. */
  private moreTurns(extra: number): number {
    const { turn, waiting } = this;
    const canWait = turn > 1 ? waiting : (this.mayWait[this.round - 1] ?? 0);
    return Math.max(waiting > 0 ? 1 : 0, Math.min(canWait, extra - (turn - 1)));
  }

  private endTurn(): void {
    // A round of an earlier run is over at once and says nothing of the others.
    if (this.mayWait[this.round - 1] !== undefined) {
      this.turns += 1;
      this.turnSeconds += ((this.pausedAt ?? this.now()) - this.turnStarted) / 1000;
    }
    this.turnStarted = this.now();
    if (this.pausedAt !== undefined) this.pausedAt = this.turnStarted;
  }

  private lookAhead(): void {
    const coming = this.mayWait.slice(this.round).filter((pairs) => pairs !== undefined);
    this.roundsToCome = coming.length;
    this.openRoundsToCome = coming.filter((pairs) => pairs > 0).length;
  }
}
