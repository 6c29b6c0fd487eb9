import { unpackBody } from './unpack-body.ts'

/** What is kept of an answer's body, as text without NUL (PostgreSQL refuses it). */
export interface BodyText {
  body: string
  bodyTruncated: boolean
  /** set where the text is not what was sent, and why: goes on behind 'your endpoint answered, but' */
  bodyNote?: string
}

/**
 * Unpacks and decodes a body by its headers.
 * @param received the body's first bytes, at most `keptBytes` of them
 * @param isCut more of it followed
 */
export async function readBody(
  received: Buffer,
  headers: Readonly<Record<string, string>>,
  keptBytes: number,
  isCut: boolean,
): Promise<BodyText> {
  const coding = headers['content-encoding']
  if (coding === undefined) return decode(received, isCut, headers['content-type'])
  const unpacked = await unpackBody(received, coding, keptBytes)
  if (!unpacked.ok) return { body: '', bodyTruncated: isCut, bodyNote: unpacked.note }
  return decode(unpacked.bytes, isCut || unpacked.isCut, headers['content-type'])
}

/**
 * A character that the cut at the end divides is left out, as is the mark with which some programs begin their texts (no reader of JSON has to
 * know it, RFC 8259 §8.1). Without a charset that is known it is UTF-8; bytes that are none in it are replaced.
 */
function decode(bytes: Buffer, isCut: boolean, contentType: string | undefined): BodyText {
  const [, quoted, bare] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType ?? '') ?? []
  const charset = quoted ?? bare
  const decoder = charset === undefined ? undefined : openDecoder(charset)
  const text = (decoder ?? new TextDecoder(markedAs(bytes))).decode(bytes, { stream: isCut })
  const isMisread = charset !== undefined && decoder === undefined && text.includes('\ufffd')
  const shown = /^[\w.:+-]{1,40}$/.test(charset ?? '') ? `"${charset}" ` : ''
  return {
    body: text.replaceAll('\0', ''),
    bodyTruncated: isCut,
    ...(isMisread ? { bodyNote: `its charset ${shown}is not known, so it was read as UTF-8` } : {}),
  }
}

/** undefined where it is none of the Encoding Standard's (encoding.spec.whatwg.org). */
function openDecoder(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** By the mark at its beginning (Encoding Standard §6, BOM sniff). */
function markedAs([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
