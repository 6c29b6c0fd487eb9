const TWO_32 = 2 ** 32

/** PostgreSQL's snapshot: transactions before `xmin` have ended, those from `xmax` on have not begun. */
export interface Snapshot {
  xmin: number
  xmax: number
  /** the transactions between the two that had not ended */
  running: number[]
}

/** Parses the text of pg_current_snapshot, `xmin:xmax:running,…`. */
export function parseSnapshot(text: string): Snapshot {
  const [xmin = '', xmax = '', running = ''] = text.split(':')
  return {
    xmin: Number(xmin),
    xmax: Number(xmax),
    running: running === '' ? [] : running.split(',').map(Number),
  }
}

/** The number of a transaction as a row's `xmin` shows it: its last 32 bits. */
export function shortXid(xid: number): number {
  return xid % TWO_32
}

/** A short number that lies before those of all rows that were written lately. */
export function longBefore({ xmax }: Snapshot): number {
  return (xmax + TWO_32 - 2 ** 30) % TWO_32
}

/** Whether the snapshot shows rows of a transaction, which is given by its last 32 bits as rows show it. */
export function isShown({ xmax, running }: Snapshot, short: number): boolean {
  const isLater = (short - shortXid(xmax) + TWO_32) % TWO_32 < TWO_32 / 2
  return !isLater && !running.some((xid) => shortXid(xid) === short)
}
