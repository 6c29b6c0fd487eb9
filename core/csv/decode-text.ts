import { isAscii, isUtf8 } from 'node:buffer'
import type { Encoding } from '#core/contract/imports/lead-import.ts'
import { CsvFault } from './csv-fault.ts'
import { suspectMacRoman } from './suspect-mac-roman.ts'

/** Number of bytes that are examined before the first is decoded; a shorter file is examined whole. */
const SNIFFED = 1024
const BOMS: readonly (readonly [Encoding, Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
]
/** The beginnings of a zip archive, the format of present workbooks, and of the earlier format. */
const WORKBOOKS = [Buffer.from('PK\u0003\u0004'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])]

/** Decodes text from bytes that come in pieces, wherever they are cut. */
export interface TextDecoding {
  /** @throws CsvFault workbook */
  write: (bytes: Uint8Array) => string
  end: () => string
  /**
   * the encoding found so far (plain ASCII counts as UTF-8), and the encoding that the letters suggest, if that differs
   */
  found: () => { encoding: Encoding; suggested: Encoding | null }
}

/**
 * Decodes text in a chosen encoding, or in the one that the bytes show: by their byte order mark, by the zeros of
 * UTF-16, or by the first character that is not ASCII. That character is either UTF-8 or Windows-1252. Bytes that are
 * invalid in their encoding become U+FFFD.
 * @param chosen the encoding that a person chose; a byte order mark takes precedence
 */
export function decodeText(chosen?: Encoding | null): TextDecoding {
  let held: Buffer = Buffer.alloc(0)
  let hasBegun = false
  let encoding: Encoding = chosen ?? 'utf-8'
  let decoder: TextDecoder | undefined
  const suspicion = suspectMacRoman()

  function decode(known: TextDecoder, bytes: Uint8Array, isEnd: boolean): string {
    if (encoding === 'windows-1252') suspicion.look(bytes)
    return known.decode(bytes, { stream: !isEnd })
  }

  function settle(found: Encoding): TextDecoder {
    encoding = found
    // A mark at the beginning is removed here; any other is a character.
    decoder = new TextDecoder(found, { ignoreBOM: true })
    return decoder
  }

  function begin(): void {
    hasBegun = true
    if (WORKBOOKS.some((magic) => startsWith(held, magic))) throw new CsvFault('workbook')
    const [marked, mark] = BOMS.find(([, bom]) => startsWith(held, bom)) ?? []
    const found = marked ?? chosen ?? findUtf16(held)
    if (mark !== undefined) held = held.subarray(mark.length)
    if (found !== undefined) settle(found)
  }

  function take(bytes: Uint8Array, isEnd: boolean): string {
    if (decoder !== undefined) return decode(decoder, bytes, isEnd)
    held = Buffer.concat([held, bytes])
    if (!hasBegun && !isEnd && held.length < SNIFFED) return ''
    if (!hasBegun) begin()
    const known = decoder ?? judgeFirstForeign(isEnd)
    const whole = known === undefined ? held.subarray(0, lengthOfAscii(held)) : held
    held = held.subarray(whole.length)
    return known === undefined ? whole.toString('latin1') : decode(known, whole, isEnd)
  }

  /** Returns undefined while there is none, or only part of one. */
  function judgeFirstForeign(isEnd: boolean): TextDecoder | undefined {
    const at = lengthOfAscii(held)
    if (at === held.length || (!isEnd && held.length < at + LONGEST_CHARACTER)) return undefined
    const length = lengthOfCharacter(held[at] ?? 0)
    return settle(
      length > 1 && held.length >= at + length && isUtf8(held.subarray(at, at + length))
        ? 'utf-8'
        : 'windows-1252',
    )
  }

  return {
    write: (bytes) => take(bytes, false),
    end: () => take(Buffer.alloc(0), true),
    found: () => ({ encoding, suggested: suspicion.isLikely() ? 'macintosh' : null }),
  }
}

const LONGEST_CHARACTER = 4

/** Length by its first byte (RFC 3629); 1 if the byte begins none. */
function lengthOfCharacter(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1
}

function lengthOfAscii(bytes: Buffer): number {
  return isAscii(bytes) ? bytes.length : bytes.findIndex((byte) => byte >= 0x80)
}

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning)
}

/** In UTF-16 each Latin letter has a zero byte beside it. */
function findUtf16(bytes: Buffer): Encoding | undefined {
  const head = bytes.subarray(0, SNIFFED)
  const pairs = Math.floor(head.length / 2)
  const zeros = [0, 0]
  for (let at = 0; at < pairs * 2; at += 1) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros.map((count) => count / Math.max(1, pairs))
  if (odd > 0.5 && even < 0.1) return 'utf-16le'
  return even > 0.5 && odd < 0.1 ? 'utf-16be' : undefined
}
