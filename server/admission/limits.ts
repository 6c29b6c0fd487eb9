/**
 * Every number of the limits on what comes in at a server. README.md beside this file says which limit uses it and against whom, and
 * names the measurement behind it. INGEST_RATE and the WEBHOOK_RATE variables, which an installation sets, are counted in Redis.
 */

/** All request queues. */
export const QUEUES = {
  /** requests, leads or batches that wait in one queue; the next is refused */
  longest: 200,
  /** seconds after which somebody is in measure again, however far beyond it he was */
  longestDebtSeconds: 2,
  /** names remembered in one process; a name that was forgotten begins with a full measure */
  kept: 10_000,
  /** milliseconds for which somebody whose single lead came is about */
  activeMs: 1000,
} as const

/** The number of requests that one caller may make at the same time, and his token bucket. */
export const ACCOUNTS = {
  /** requests that are answered at the same time: a screen asks for some six */
  together: 4,
  /** requests: two or three screens, one after the other */
  atOnce: 20,
  /** requests a second */
  perSecond: 20,
  /** beyond the measure */
  togetherBeyond: 1,
  /** characters of an answer that count as one more request */
  charactersOfOne: 64 * 1024,
  /** milliseconds of a request that count as one more: nothing of an ordinary screen takes so long */
  millisecondsOfOne: 25,
  /** downloads that are made at the same time */
  downloadsTogether: 2,
} as const

/** All callers together that nobody has approved may ask as much as so many accounts. */
export const STRANGERS = { asAccounts: 2 } as const

/** Single leads of a source. Beyond the measure few are stored at a time while another source is about. */
export const SOURCES = {
  /** leads, and leads a second: as many events as core/fairness/priorities.ts has in measure */
  atOnce: 50,
  perSecond: 300,
  togetherBeyond: 3,
} as const

/** Batches of leads that are posted to the API. */
export const BATCHES = {
  /** leads; few enough to read and store in a moment: meanwhile nobody else's lead is read */
  piece: 25,
} as const

/** Rests after work that takes the server's time from single leads, while such come: so many times as long as it took, but no longer. */
export const RESTS = {
  /** after a piece of a batch or a replay, whose sender waits for all of them */
  piece: { times: 5, longestMs: 250 },
  /** after a request beyond the measure */
  request: { times: 10, longestMs: 2000 },
  /** after a long body, so that of a hundred single leads three come while one is read */
  body: { times: 40, longestMs: 2000 },
} as const

/** Bodies, and answers that their reader has not taken. */
export const MEMORY = {
  /** bytes; a body that is no longer is read as it comes */
  smallBody: 64 * 1024,
  /** bytes of one caller: past that nothing more of his is received, nor made for him */
  ofCaller: 64 * 1024 * 1024,
  /** bytes of all callers: past that the same holds for those who have more than their share of it */
  ofAll: 256 * 1024 * 1024,
  /** packed bodies that are unpacked at the same time, one of each caller: there are threads for hundreds, and few cores */
  unpackedTogether: 2,
} as const
