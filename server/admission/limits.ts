/**
 * All limits on what comes in at a server. README.md beside this file says which limit uses each number and
 * against whom, and names the measurement behind it. INGEST_RATE and the WEBHOOK_RATE variables, which an
 * installation sets, are counted in Redis.
 */

/** All request queues. */
export const QUEUES = {
  /** requests, leads or batches that wait in one queue; the next is refused */
  longest: 200,
  /** seconds after which an overdrawn token bucket has tokens again, however far it was overdrawn */
  longestDebtSeconds: 2,
  /** names remembered in one process; a forgotten name begins with a full bucket */
  kept: 10_000,
  /** milliseconds for which a source counts as active after a single lead */
  activeMs: 1000,
} as const

/** The number of requests that one caller may make at the same time, and its token bucket. */
export const ACCOUNTS = {
  /** requests that are answered at the same time: a screen asks for some six */
  together: 4,
  /** requests: two or three screens, one after the other */
  atOnce: 20,
  /** requests a second */
  perSecond: 20,
  /** beyond the token bucket */
  togetherBeyond: 1,
  /** characters of an answer that count as one more request */
  charactersOfOne: 64 * 1024,
  /** milliseconds of a request that count as one more; no request of an ordinary screen takes so long */
  millisecondsOfOne: 25,
  /** downloads that are made at the same time */
  downloadsTogether: 2,
  /** files that are received at the same time */
  uploadsTogether: 2,
} as const

/** All callers without approval together get as much as this many accounts. */
export const STRANGERS = { asAccounts: 2 } as const

/**
 * Single leads of a source. Beyond the token bucket few are stored at a time while another source is active.
 */
export const SOURCES = {
  /** leads, and leads a second: as many events as core/fairness/priorities.ts allows at normal priority */
  atOnce: 50,
  perSecond: 300,
  togetherBeyond: 3,
} as const

/** Batches of leads posted to the API. */
export const BATCHES = {
  /** leads; few enough to read and store quickly: meanwhile no other lead is read */
  piece: 25,
} as const

/**
 * Rests after work that delays single leads, taken while single leads arrive: a multiple of the time that the
 * work took, up to a limit.
 */
export const RESTS = {
  /** after a chunk of a batch or a replay, whose sender waits for all of them */
  piece: { times: 5, longestMs: 250 },
  /** after a request beyond the token bucket */
  request: { times: 10, longestMs: 2000 },
  /** after a long body, so that only three of a hundred single leads arrive while one is being read */
  body: { times: 40, longestMs: 2000 },
} as const

/** Bodies, and answers that the caller has not read yet. */
export const MEMORY = {
  /** bytes; a body up to this size is read as it comes */
  smallBody: 64 * 1024,
  /**
   * bytes of one caller; above it, the server receives no more from this caller and makes no more answers for
   * it
   */
  ofCaller: 64 * 1024 * 1024,
  /** bytes of all callers; above it, the same holds for callers above their share */
  ofAll: 256 * 1024 * 1024,
  /**
   * compressed bodies that are decompressed at the same time, one for each caller: there are threads for
   * hundreds, and few cores
   */
  unpackedTogether: 2,
} as const

/** Sockets of channels (server/realtime). */
export const SOCKETS = {
  /** sockets of one server; each takes some 40 KB */
  ofServer: 10_000,
  /** sockets of an approved account: fifty people with two windows */
  ofAccount: 100,
  /** sockets of one block of addresses on which no approved account has joined a channel */
  ofBlock: 100,
  /** bytes of one message to the server */
  longestMessage: 64 * 1024,
  /** messages on one socket, and more a second; a socket that sends more is closed */
  messages: { atOnce: 200, perSecond: 50 },
  /** joins and new tokens on one socket, and more a second; others are refused */
  joins: { atOnce: 40, perSecond: 4 },
  /** channels of one socket */
  channels: 50,
  /** channels on all sockets of one sender: each change of an account may be told so many times */
  channelsOfSender: 500,
  /** bindings of one channel to changes of rows */
  bindings: 20,
  /** bytes that one socket's reader has not taken; above it, the socket is closed. A burst is sent at once. */
  unread: 4 * 1024 * 1024,
  /** milliseconds without a message after which a socket is closed; clients send one every 25 s */
  silentMs: 60_000,
} as const
