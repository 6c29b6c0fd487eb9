import type { Request, RequestHandler } from 'express'
import { BATCH_LIMIT } from '#core/contract/leads/lead-ingest.ts'
import { IMPORT_LIMITS } from '#core/contract/imports/lead-import.ts'
import { AppError } from '#core/errors.ts'
import { decodeText, MOST_VALUES, parseJson, takeBytes, type JsonLimits } from './decode-body.ts'
import { readForm } from './read-form.ts'
import { readLines } from './read-lines.ts'
import { receiveBytes } from './receive-bytes.ts'

const MIB = 1024 * 1024
/** No call needs deeper JSON, and recursive readers would run out of stack. */
export const JSON_LIMITS: JsonLimits = { deepest: 64, values: MOST_VALUES }
/** A lead keeps the digits of its numbers, because ids may be numbers. */
const LEAD_LIMITS: JsonLimits = { ...JSON_LIMITS, asWritten: true }
/**
 * A lead has a hundred and fifty values at most. A batch may hold somewhat more for each, so that a lead with
 * too many gets its own fault.
 */
export const BATCH_LIMITS: JsonLimits = { ...LEAD_LIMITS, values: 250 * BATCH_LIMIT }

/**
 * The bodies that a route accepts: the media types, and the size of the body after decompression. `json as
 * written` holds a lead.
 */
export type BodyKind = 'json' | 'json as written' | 'json or form' | 'short json or form' | 'batch' | 'part'

const LIMITS: Record<Exclude<BodyKind, 'part'>, JsonLimits> = {
  json: JSON_LIMITS,
  'json as written': LEAD_LIMITS,
  'json or form': LEAD_LIMITS,
  'short json or form': JSON_LIMITS,
  batch: BATCH_LIMITS,
}

export const ACCEPTED_BODIES: Record<BodyKind, { limit: number; types: readonly string[] }> = {
  json: { limit: MIB, types: ['application/json', 'application/*+json'] },
  'json as written': { limit: MIB, types: ['application/json', 'application/*+json'] },
  'json or form': {
    limit: MIB,
    types: ['application/json', 'application/*+json', 'application/x-www-form-urlencoded'],
  },
  'short json or form': {
    limit: 64 * 1024,
    types: ['application/json', 'application/*+json', 'application/x-www-form-urlencoded'],
  },
  part: { limit: IMPORT_LIMITS.part, types: ['application/octet-stream'] },
  batch: { limit: 5 * MIB, types: ['application/json', 'application/x-ndjson', 'application/ndjson'] },
}

/** RFC 8259 §8.1 allows no other charset for JSON. ASCII is a part of UTF-8. */
const READ_CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/** A body's text and its parsed value. */
export interface ReadBody {
  /** empty for a form and for lines, which are read from their bytes */
  text: string
  value: unknown
}

/** Takes the bytes of one kind of body; {@link readBody} parses them. */
export function receiveBody(kind: BodyKind, nameCaller: (request: Request) => string): RequestHandler {
  const { limit, types } = ACCEPTED_BODIES[kind]
  const receive = receiveBytes(limit, nameCaller)
  return async (request, response, next) => {
    // A missing body is an empty one, which the schema judges; it needs no type.
    const isEmpty = request.get('Content-Length') === '0' || request.is('*/*') === null
    if (!isEmpty && request.is([...types]) === false) {
      throw new AppError('unsupported_media_type', `Send the body as ${types.join(', ')}.`)
    }
    if (!isEmpty && !READ_CHARSETS.has(charsetOf(request))) {
      throw new AppError('unsupported_media_type', 'Send the body in UTF-8.')
    }
    await receive(request, response, next)
  }
}

/**
 * Parses the body. If bytes of a form are no UTF-8, the schema refuses them at their field. Lines are parsed
 * one by one.
 * @throws AppError malformed_body if the body is no UTF-8 JSON
 */
export function readBody(request: Request, kind: BodyKind): ReadBody {
  // Bytes of a file, cut at any point.
  if (kind === 'part') return { text: '', value: undefined }
  if (kind.endsWith('json or form') && request.is('application/x-www-form-urlencoded') !== false) {
    const form = takeBytes(request)
    return { text: '', value: form.length === 0 ? undefined : readForm(form) }
  }
  if (kind === 'batch' && request.is(['application/x-ndjson', 'application/ndjson']) !== false) {
    const lines = takeBytes(request)
    if (lines.length > 0) return { text: '', value: readLines(lines, BATCH_LIMITS, BATCH_LIMIT + 1) }
  }
  const text = decodeText(request)
  if (text === undefined) throw new AppError('malformed_body', 'The body is not UTF-8 text.')
  return {
    text,
    value: text.trim() === '' ? undefined : requireJson(text, LIMITS[kind]),
  }
}

function requireJson(text: string, limits: JsonLimits): unknown {
  const parsed = parseJson(text, limits)
  if (parsed.ok) return parsed.value
  throw new AppError('malformed_body', FAULTS[parsed.fault](limits))
}

const FAULTS = {
  too_deep: ({ deepest }: JsonLimits) => `The JSON is nested deeper than ${deepest} levels.`,
  too_many: ({ values }: JsonLimits) => `The JSON has more than ${values.toLocaleString('en-US')} values.`,
  not_json: () => 'The body is not valid JSON.',
}

function charsetOf(request: Request): string {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.get('Content-Type') ?? '') ?? []
  return charset.toLowerCase()
}
