import { errors } from 'undici'

/** The peer that the fault is about (explain-failure.ts). */
interface Named {
  /** the form's field with its address */
  field: string
}

/** The reason why an answer could not be read, found in its own bytes: undici's errors do not give it. */
export class AnswerFaultError extends Error {
  override readonly name = 'AnswerFaultError'
  readonly code = 'ERR_ANSWER_FAULT'
  /** continues after the peer's name: `ends its lines with a line feed alone. …` */
  readonly explain: (peer: Named) => string

  constructor(explain: (peer: Named) => string, cause: Error) {
    super('The answer is not HTTP/1.1', { cause })
    this.explain = explain
  }
}

/** An endpoint asked for a client certificate, got none, and closed the connection. */
export class CertificateDemandedError extends Error {
  override readonly name = 'CertificateDemandedError'
  readonly code = 'ERR_CERTIFICATE_DEMANDED'
}

/**
 * The fault that caused a failure to read an answer; undefined if the failure has another cause, or the bytes do not
 * tell.
 */
export function findAnswerFault(error: Error, head: string): AnswerFaultError | undefined {
  const explain = isUnreadable(error)
    ? (findOtherProtocol(head) ?? findHeadFault(head))
    : isOurs(error)
      ? undefined
      : findStatusFault(head)
  return explain === undefined ? undefined : new AnswerFaultError(explain, error)
}

/**
 * Whether a limit of ours was reached (exchange-once.ts), or OpenSSL failed. ERR_ASSERTION is neither: undici (8.12)
 * raises it for an unexpected status.
 */
function isOurs(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && /^ERR_(?!ASSERTION$)/.test(error.code)
}

function isUnreadable(error: Error): boolean {
  return (
    (error instanceof errors.HTTPParserError && !isEndOfConnection(error)) ||
    error instanceof errors.ResponseContentLengthMismatchError
  )
}

/** undici (8.12) sets no code on this error. */
export function isEndOfConnection(error: unknown): boolean {
  return error instanceof errors.HTTPParserError && /EOF/.test(error.message)
}

type Explain = AnswerFaultError['explain']
const say =
  (fault: string): Explain =>
  () =>
    fault

/** RFC 8446 §5.1: an alert or a handshake; RFC 9113 §4.1, §6.5, §6.8: SETTINGS or GOAWAY of the connection. */
const TLS_RECORD = /^[\x15\x16]\x03[\x00-\x04]/
const HTTP2_FRAME = /^\x00[^]{2}[\x04\x07][\x00\x01]\x00{4}/

function findOtherProtocol(head: string): Explain | undefined {
  if (TLS_RECORD.test(head))
    return ({ field }) => `speaks TLS on this port. Let ${field} begin with https://, or check its port.`
  if (HTTP2_FRAME.test(head)) return say(ONLY_HTTP2)
  if (/^\s*</.test(head)) return say('sent a page with no status line before it. Let it answer HTTP/1.1.')
  return undefined
}

/** For an endpoint that takes no older version; continues after its name. */
export const ONLY_HTTP2 = 'speaks only HTTP/2, and leads are sent by HTTP/1.1. Let it take that as well.'

/** Finds a status line that undici does not accept, or takes for the end of the connection. */
function findStatusFault(text: string): Explain | undefined {
  const [, statusLine] = /^[\r\n]*(HTTP\/[^\r\n]*)\r?\n/.exec(text) ?? []
  if (statusLine === undefined) return undefined
  if (!/^HTTP\/1\.[01] [1-9]\d\d(?: |$)/.test(statusLine))
    return say('sent a status line that is not one of HTTP/1.1. It begins like this: HTTP/1.1 200 OK')
  return /^HTTP\/1\.[01] 101/.test(statusLine)
    ? say(
        'answered that it changes to another protocol, which the request did not ask for. Let it answer with its result alone.',
      )
    : undefined
}

function findHeadFault(text: string): Explain | undefined {
  const head = text.replace(/^[\r\n]+/, '')
  if (!head.startsWith('HTTP/')) return undefined
  const statusFault = findStatusFault(`${head}\n`)
  if (statusFault !== undefined) return statusFault
  const end = /\n\r?\n/.exec(head)
  const lines = (end === null ? head : head.slice(0, end.index)).split('\n')
  const [statusLine = '', ...headers] = lines.map((line) => line.replace(/\r$/, ''))
  if (statusLine.includes('\r'))
    return say('ends lines with a carriage return alone. HTTP/1.1 needs a line feed behind each.')
  const fault = findHeaderFault(headers) ?? (hasLoneLineFeed(head, end) ? LONE_LINE_FEED : undefined)
  if (fault !== undefined) return say(fault)
  // The headers are in order, and yet the answer could not be read.
  return /^transfer-encoding:.*chunked/im.test(head)
    ? say('sent chunks that are not in the form of HTTP/1.1. Look at what writes them.')
    : undefined
}

const LONE_LINE_FEED =
  'ends lines of its answer’s headers with a line feed alone. HTTP/1.1 needs a carriage return before each.'

/** Whether any line of the head ends with a line feed alone; an incomplete last line does not count. */
function hasLoneLineFeed(head: string, end: RegExpExecArray | null): boolean {
  return /(?:^|[^\r])\n/.test(end === null ? head : head.slice(0, end.index + end[0].length))
}

function findHeaderFault(headers: readonly string[]): string | undefined {
  const values = (name: string): string[] =>
    headers.flatMap((line) =>
      line.toLowerCase().startsWith(`${name}:`) ? line.slice(name.length + 1).trim() : [],
    )
  const lengths = values('content-length')
  if (lengths.length > 0 && values('transfer-encoding').length > 0)
    return 'answered with both Content-Length and Transfer-Encoding. Only one of them may stand there.'
  if (lengths.length > 1)
    return 'answered with two Content-Length headers. Let it, or a proxy before it, send one.'
  if (lengths.some((length) => !/^\d+$/.test(length)))
    return 'answered with a Content-Length that is no number.'
  if (lengths.some((length) => Number(length) > Number.MAX_SAFE_INTEGER))
    return 'answered with a Content-Length that is longer than any answer.'
  for (const line of headers) {
    const fault = findLineFault(line)
    if (fault !== undefined) return `answered with ${fault}. Look at what writes its headers.`
  }
  return undefined
}

function findLineFault(line: string): string | undefined {
  if (/^[ \t]/.test(line)) return 'a header over several lines'
  if (/^[^:]*[ \t]:/.test(line) && !/^[^:]*[ \t][^: \t]+[ \t]*:/.test(line)) return 'a space before a colon'
  if (!line.includes(':')) return 'a line that is no header'
  // RFC 9110 §5.6.2 and §5.5.
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:/.test(line)) return 'a header whose name is not valid'
  return /[^\t\x20-\x7e\x80-\xff]/.test(line) ? 'a character that no header may have' : undefined
}
