import { AppError } from '#core/errors.ts'
import { UnreadableLine } from '#core/use-cases/ingest/unreadable-line.ts'
import { parseJson, type JsonLimits } from './decode-body.ts'

const [TAB, NEWLINE, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20]

/** Safe to share: it keeps nothing from one line to the next. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The values of lines of JSON (NDJSON), without the empty lines. A line that is no UTF-8 or no JSON becomes
 * an {@link UnreadableLine}, which holds its number and never its content.
 * @param limits of each line, and for `values` of all of them
 * @throws AppError malformed_body for more values than that: then no line is judged
 * @param most lines beyond this number are not read, because callers that accept fewer refuse all of them
 */
export function readLines(bytes: Buffer, limits: JsonLimits, most: number): unknown[] {
  const values: unknown[] = []
  let number = 0
  let left = limits.values
  for (let from = 0; from < bytes.length && values.length < most;) {
    // Skips runs of empty lines at once: one by one, millions of them would take as long as a batch.
    if (isBlank(bytes[from])) {
      if (bytes[from] === NEWLINE) number += 1
      from += 1
      continue
    }
    const end = bytes.indexOf(NEWLINE, from)
    const line = bytes.subarray(from, end === -1 ? bytes.length : end)
    from += line.length + 1
    number += 1
    const text = readText(line)
    if (text === undefined) values.push(new UnreadableLine(`Line ${number} is not UTF-8 text`))
    else if (text.trim() !== '') {
      const parsed = parseJson(text.trim(), { ...limits, values: left })
      left -= parsed.values
      if (parsed.ok) values.push(parsed.value)
      else if (parsed.fault === 'too_many') throw tooMany(limits)
      else values.push(new UnreadableLine(`Line ${number} ${FAULTS[parsed.fault](limits)}`))
    }
  }
  return values
}

function isBlank(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === RETURN || byte === SPACE || byte === TAB
}

const tooMany = ({ values }: JsonLimits): AppError =>
  new AppError('malformed_body', `The lines have more than ${values.toLocaleString('en-US')} values.`)

const FAULTS = {
  too_deep: ({ deepest }: JsonLimits) => `is nested deeper than ${deepest} levels`,
  not_json: () => 'is not valid JSON',
}

function readText(line: Buffer): string | undefined {
  try {
    return UTF8.decode(line)
  } catch {
    return undefined
  }
}
