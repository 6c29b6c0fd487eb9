import { unpackBody } from './unpack-body.ts'

/** The kept part of an answer's body, as text without NUL (PostgreSQL refuses it). */
export interface BodyText {
  body: string
  bodyTruncated: boolean
  /** set if the text is not what was sent, with the reason: continues after 'your endpoint answered, but' */
  bodyNote?: string
}

/**
 * Unpacks and decodes a body by its headers.
 * @param received the body's first bytes, at most `keptBytes` of them
 * @param isCut whether more of it followed
 */
export async function readBody(
  received: Buffer,
  headers: Readonly<Record<string, string>>,
  keptBytes: number,
  isCut: boolean,
): Promise<BodyText> {
  const { 'content-type': type, 'content-encoding': coding, 'transfer-encoding': transfer } = headers
  const named = [coding, transfer].filter((value) => value !== undefined)
  // A proxy that unpacks answers may leave the header as it was, and some servers put a charset or nothing in it. So
  // this is checked first: many short texts can be unpacked as brotli or deflate.
  if (named.length > 0 && isPlainText(received, isCut)) return decode(received, isCut, type)
  const { bytes, isCut: isMore, note } = await unpackBody(received, named.join(', '), keptBytes)
  if (note === undefined) return decode(bytes, isCut || isMore, type)
  return { body: '', bodyTruncated: isCut, bodyNote: note }
}

/** Compressed bytes are hardly ever UTF-8 without control characters. */
function isPlainText(bytes: Buffer, isCut: boolean): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return !/[\0-\x08\x0e-\x1f\x7f]/.test(text)
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/**
 * Leaves out a character that the cut at the end divides, and a byte order mark at the beginning (JSON readers need not
 * accept it, RFC 8259 §8.1). The mark overrides the charset (Encoding Standard §6, decode). Without a known charset the
 * body is read as UTF-8, and invalid bytes are replaced.
 */
function decode(bytes: Buffer, isCut: boolean, contentType: string | undefined): BodyText {
  const [, quoted, bare] =
    /(?:^|[;,\s])charset\s*=\s*(?:"([^"]*)"|'?([^\s;,"']+))/i.exec(contentType ?? '') ?? []
  const charset = quoted ?? bare
  const decoder = openDecoder(markedAs(bytes) ?? charset ?? 'utf-8')
  const text = (decoder ?? new TextDecoder()).decode(bytes, { stream: isCut })
  const isMisread = decoder === undefined && text.includes('\ufffd')
  const shown = /^[\w.:+-]{1,40}$/.test(charset ?? '') ? `"${charset}" ` : ''
  return {
    body: text.replaceAll('\0', ''),
    bodyTruncated: isCut,
    ...(isMisread ? { bodyNote: `its charset ${shown}is not known, so it was read as UTF-8` } : {}),
  }
}

/** undefined if the Encoding Standard does not know the charset (encoding.spec.whatwg.org). */
function openDecoder(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // For example `latin-1`, `utf_8`.
    const shorter = charset.replaceAll(/[-_ ]/g, '')
    return shorter === charset ? undefined : openDecoder(shorter)
  }
}

function markedAs([first, second, third]: Buffer): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}
