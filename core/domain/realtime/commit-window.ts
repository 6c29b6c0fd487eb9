import { isShown, longBefore, parseSnapshot, shortXid, type Snapshot } from './snapshot.ts'

/** The kinds of rows from which the feed reads what changed. */
export type WrittenKind = 'event' | 'attempt' | 'webhook' | 'loss' | 'entry'

/** The moment of a poll. */
export interface Reading {
  /** the text of pg_current_snapshot */
  snapshot: string
  /** milliseconds since the epoch, by PostgreSQL's clock */
  at: number
  /** the newest number of the ledger that was given out by then */
  ledger: number
}

/** The place of a row in the index by which it is found: milliseconds since the epoch; of an entry its number. */
export interface WrittenRow {
  kind: WrittenKind
  id: string
  /** the row's `xmin` */
  version: number
  position: number
}

/** The rows that a poll reads: those at or after `from` by transactions from `xmin` on, and those of `ended`. */
export interface Since {
  /** nothing is read if this is still PostgreSQL's snapshot; null reads in any case */
  snapshot: string | null
  xmin: number
  /** the same for attempts */
  attemptsXmin: number
  from: Positions
  /** transactions that ended after they had run for long: their rows are read from `longFrom` on */
  ended: number[]
  longFrom: Positions
  /** attempts before `longFrom` are read from here on, by transactions from `xmin` on */
  deep: { from: number; xmin: number }
}
export type Positions = Readonly<Record<WrittenKind, number>>

/** A row is committed at most this long after it got its place, unless its transaction was seen running meanwhile. */
const SLACK_MS = 3000
/** An attempt's place is the begin of its exchange, a configuration's that of its transaction. */
const LONG_SLACK_MS = 60_000
/** Pause between two looks for attempts in the long slack. */
const LONG_LOOK_MS = 800
/**
 * A worker that cannot reach PostgreSQL keeps its attempts and records them when it can. They are looked for this far back,
 * with this pause, because the look reads an index of all attempts of that time.
 */
const DEEP_SLACK_MS = 900_000
const DEEP_LOOK_MS = 15_000
/** Polls this far apart mean that PostgreSQL was away. */
const OUTAGE_MS = 5000
/** After an outage workers still write attempts from before it. */
const LATE_RECORDS_MS = 30_000
/** A transaction gets its number, and then its first row a place, within this time of each other. */
const BEGIN_MS = 500
/** Limits of what transactions may have written that already ran at the first poll. */
const RAN_BEFORE = { ms: 900_000, entries: 100_000 }

interface Point {
  at: number
  ledger: number
}

/**
 * Decides which rows a poll must read, and which of them are new. It compares snapshots, not times; a time only limits
 * how far back an index is read. If a transaction is seen running and ends after its rows have left that range, its rows
 * are read by its number. So a late commit is not missed, and a long transaction does not make each poll read more.
 */
export interface CommitWindow {
  since: () => Since
  /** `known`: read before, or only its outbox columns have changed; `again`: another version of the same row */
  judge: (row: WrittenRow) => 'first' | 'again' | 'known'
  /** false if PostgreSQL went back: another server took over that had not received everything */
  isFollowedBy: (reading: Reading) => boolean
  /** To be called with the moment that a poll read, after its rows were judged. */
  moveTo: (reading: Reading) => void
}

interface Seen {
  version: number
  position: number
}

/** @param first the moment before the first poll; the rows of that poll are not new to anybody */
export function createCommitWindow(first: Reading): CommitWindow {
  const seen = new Map<WrittenKind, Map<string, Seen>>()
  const start = parseSnapshot(first.snapshot)
  const running = new Map<number, Point>()
  const before = { at: first.at - RAN_BEFORE.ms, ledger: first.ledger - RAN_BEFORE.entries }
  for (const xid of start.running) running.set(xid, before)
  const points: Point[] = [first]
  let last = { ...first, ...start }
  let long: { at: number; xmin: number; snapshot: string | null } = {
    at: 0,
    xmin: start.xmin,
    snapshot: null,
  }
  let deep = { at: first.at, text: first.snapshot, ...start }
  let outage = { from: Infinity, until: 0 }
  let ended = NONE
  let asked: (Since & { isLong: boolean; isDeep: boolean }) | undefined

  return {
    since: () => {
      const isFirst = asked === undefined
      const isLong = last.at - long.at >= LONG_LOOK_MS
      const isDeep = isLong && last.at - deep.at >= DEEP_LOOK_MS
      const isForced =
        isFirst ||
        ended.xids.length > 0 ||
        (isLong && long.snapshot !== last.snapshot) ||
        (isDeep && deep.text !== last.snapshot)
      const from = positionsAt({ at: last.at - SLACK_MS, ledger: points[0]?.ledger ?? 0 }, isLong)
      if (isLong && last.at < outage.until) from.attempt = Math.min(from.attempt, outage.from)
      const everything = longBefore(start)
      const longFrom = earlier(from, positionsAt(ended.from, true))
      const deepFrom = isDeep ? last.at - DEEP_SLACK_MS : Infinity
      asked = {
        snapshot: isForced ? null : last.snapshot,
        xmin: isFirst ? everything : shortXid(last.xmin),
        attemptsXmin: isFirst ? everything : shortXid(isLong ? long.xmin : last.xmin),
        from,
        ended: ended.xids.map(shortXid),
        longFrom,
        deep: { from: Math.min(longFrom.attempt, deepFrom), xmin: shortXid(deep.xmin) },
        isLong,
        isDeep,
      }
      return asked
    },
    judge: ({ kind, id, version, position }) => {
      const rows = seen.get(kind) ?? new Map<string, Seen>()
      seen.set(kind, rows)
      const known = rows.get(id)
      if (known !== undefined && (kind !== 'webhook' || known.version === version)) return 'known'
      // The last deep look told it, or a poll before that, and it is not remembered any more.
      const isDeep = kind === 'attempt' && position < (asked?.longFrom.attempt ?? 0)
      if (isDeep && isShown(deep, version)) return 'known'
      rows.set(id, { version, position })
      return known === undefined ? 'first' : 'again'
    },
    isFollowedBy: ({ snapshot }) => parseSnapshot(snapshot).xmax >= last.xmax,
    moveTo: (reading) => {
      if (asked === undefined) throw new Error('A poll asks before it moves')
      const { from, isLong, isDeep } = asked
      const now = parseSnapshot(reading.snapshot)
      if (isDeep) deep = { at: reading.at, text: reading.snapshot, ...now }
      if (isLong) long = { at: reading.at, xmin: now.xmin, snapshot: reading.snapshot }
      if (reading.at - last.at > OUTAGE_MS)
        outage = { from: last.at - LONG_SLACK_MS, until: reading.at + LATE_RECORDS_MS }
      ended = takeEnded(running, now, from.event)
      const began = { at: last.at - BEGIN_MS, ledger: last.ledger }
      for (const xid of now.running) if (!running.has(xid)) running.set(xid, began)
      const attempt = Math.min(deep.at - LONG_SLACK_MS, last.at < outage.until ? outage.from : Infinity)
      forget(seen, { ...from, attempt })
      last = { ...reading, ...now }
      points.push(reading)
      while ((points[1]?.at ?? Infinity) <= reading.at - SLACK_MS) points.shift()
    },
  }
}

interface Ended {
  xids: number[]
  from: Point
}
const NONE: Ended = { xids: [], from: { at: Infinity, ledger: Infinity } }

/** The transactions that have ended since they were seen running, if they may have written before the last range. */
function takeEnded(running: Map<number, Point>, now: Snapshot, from: number): Ended {
  const still = new Set(now.running)
  const xids: number[] = []
  const point = { ...NONE.from }
  for (const [xid, began] of running) {
    if (still.has(xid)) continue
    running.delete(xid)
    if (began.at >= from) continue
    xids.push(xid)
    point.at = Math.min(point.at, began.at)
    point.ledger = Math.min(point.ledger, began.ledger)
  }
  return { xids, from: point }
}

function positionsAt({ at, ledger }: Point, isLong: boolean): Record<WrittenKind, number> {
  const long = at - LONG_SLACK_MS
  return { event: at, attempt: isLong ? long : at, webhook: long, loss: at, entry: ledger }
}

function earlier(one: Positions, other: Positions): Positions {
  const kinds = Object.keys(one) as WrittenKind[]
  return Object.fromEntries(kinds.map((kind) => [kind, Math.min(one[kind], other[kind])])) as Record<
    WrittenKind,
    number
  >
}

/** Forgets rows that no later poll reads. */
function forget(seen: ReadonlyMap<WrittenKind, Map<string, Seen>>, from: Positions): void {
  for (const [kind, rows] of seen)
    for (const [id, { position }] of rows) if (position < from[kind]) rows.delete(id)
}
