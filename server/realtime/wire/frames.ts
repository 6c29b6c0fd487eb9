/** The wire of Phoenix channels, in the two versions that the client library speaks. */

/** A message in either direction. */
export interface Frame {
  /** names the join that the message belongs to */
  join_ref: string | null
  /** names the message that is answered */
  ref: string | null
  topic: string
  event: string
  payload: unknown
}

export const WIRE_VERSIONS = ['1.0.0', '2.0.0'] as const
/** 1.0.0: a frame is an object; 2.0.0: an array. */
export type WireVersion = (typeof WIRE_VERSIONS)[number]

const LONGEST_REF = 64
const LONGEST_TOPIC = 256
const LONGEST_EVENT = 64
/** First byte of a broadcast in binary form, the only binary message that clients send. */
const BINARY_BROADCAST = 3
const BINARY_HEADER = 7

/** @returns undefined for a text that is no message of this version */
export function readFrame(version: WireVersion, text: string): Frame | undefined {
  const parts = takeParts(version, parseJson(text))
  if (parts === undefined) return undefined
  const { join_ref = null, ref = null, topic, event, payload } = parts
  if (!isRef(join_ref) || !isRef(ref)) return undefined
  if (!isText(topic, LONGEST_TOPIC) || !isText(event, LONGEST_EVENT)) return undefined
  return { join_ref, ref, topic, event, payload }
}

/**
 * Reads the head of a broadcast in binary form; its content is not needed, because broadcasts are refused.
 * @returns undefined for bytes that are no such message
 */
export function readBinaryFrame(version: WireVersion, bytes: Uint8Array): Frame | undefined {
  if (version === '1.0.0' || bytes[0] !== BINARY_BROADCAST || bytes.length < BINARY_HEADER) return undefined
  const [, joinRefLength = 0, refLength = 0, topicLength = 0, eventLength = 0] = bytes
  const refAt = BINARY_HEADER + joinRefLength
  const topicAt = refAt + refLength
  const eventAt = topicAt + topicLength
  if (bytes.length < eventAt + eventLength) return undefined
  const read = (from: number, to: number): string => Buffer.from(bytes.subarray(from, to)).toString('utf8')
  return {
    join_ref: read(BINARY_HEADER, refAt) || null,
    ref: read(refAt, topicAt) || null,
    topic: read(topicAt, eventAt),
    event: 'broadcast',
    payload: undefined,
  }
}

/** @param payload JSON text, so that a payload for many channels is made once */
export function writeFrame(
  version: WireVersion,
  { join_ref, ref, topic, event }: Omit<Frame, 'payload'>,
  payload: string,
): string {
  const [joinText, refText, topicText, eventText] = [join_ref, ref, topic, event].map((part) =>
    JSON.stringify(part),
  )
  return version === '1.0.0'
    ? `{"topic":${topicText},"event":${eventText},"payload":${payload},"ref":${refText},"join_ref":${joinText}}`
    : `[${joinText},${refText},${topicText},${eventText},${payload}]`
}

type Parts = Partial<Record<keyof Frame, unknown>>

function takeParts(version: WireVersion, value: unknown): Parts | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (version === '1.0.0') return Array.isArray(value) ? undefined : value
  if (!Array.isArray(value) || value.length !== 5) return undefined
  const [join_ref, ref, topic, event, payload] = value as unknown[]
  return { join_ref, ref, topic, event, payload }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRef(value: unknown): value is string | null {
  return value === null || isText(value, LONGEST_REF)
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length <= longest
}
