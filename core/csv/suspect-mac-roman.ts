import { isAscii } from 'node:buffer'

/** Gathers evidence for Mac OS Roman in bytes that are read as Windows-1252. */
export interface MacRomanSuspicion {
  look: (bytes: Uint8Array) => void
  isLikely: () => boolean
}

/** In Windows-1252: no character at all. In Mac OS Roman: Å, ç, è, ê, ù. */
const UNDEFINED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])
/** In Windows-1252: €, ‚, ƒ, „, †, ‡, ˆ, ‰, ‹, §, •, ˜, ™, ›, none of which occurs within a word. */
const SIGNS = new Set([0x80, 0x82, 0x83, 0x84, 0x86, 0x87, 0x88, 0x89, 0x8b, 0xa7, 0x95, 0x98, 0x99, 0x9b])
/** Those among them that do not end a word either: ƒ, ‡, ˆ, ˜, §. In Mac OS Roman: É, á, à, ò, ß. */
const END_NO_WORD = new Set([0x83, 0x87, 0x88, 0x98, 0xa7])
/** In Windows-1252: Š, Œ, Ž, Ÿ, capitals. */
const CAPITALS = new Set([0x8a, 0x8c, 0x8e, 0x9f])
/** In Windows-1252: the en dash and the em dash. In Mac OS Roman: ñ, ó. */
const DASHES = new Set([0x96, 0x97])
/** In Windows-1252: ’. In Mac OS Roman: í. */
const APOSTROPHE = 0x92
/** Letters that follow an English apostrophe: ’s, ’t, ’ll, ’re, ’ve, ’m, ’d. */
const AFTER_APOSTROPHE = new Set(Buffer.from('stlrvmd'))
/** In Windows-1252: ‘, “, none of which ends a word. In Mac OS Roman: ë, ì. */
const OPENING = new Set([0x91, 0x93])
/** In Windows-1252: œ, which ends no word and precedes few consonants. In Mac OS Roman: ú. */
const LIGATURE = 0x9c
const AFTER_U = new Set(Buffer.from('lrsz'))
/** In Windows-1252: Õ. In Mac OS Roman: ’. */
const MAC_APOSTROPHE = 0xd5

/**
 * A byte counts if it is a letter in one of the two encodings and cannot be right in the other. There it would be a
 * sign within a word, or a capital after a small letter. A byte that could be either (0x9A: š or ö) counts for neither.
 */
export function suspectMacRoman(): MacRomanSuspicion {
  let mac = 0
  let windows = 0
  /** the last two bytes, whose following byte has not come yet */
  let last = Buffer.alloc(0)
  return {
    look: (bytes) => {
      if (isAscii(last) && isAscii(bytes)) {
        last = Buffer.from(bytes.subarray(-2))
        return
      }
      const all = Buffer.concat([last, bytes])
      for (let at = last.length === 2 ? 1 : 0; at < all.length - 1; at += 1) {
        const byte = all[at] ?? 0
        if (byte < 0x80) continue
        const [before, behind] = [all[at - 1] ?? 0, all[at + 1] ?? 0]
        if (speaksForMac(before, byte, behind)) mac += 1
        else if (speaksForWindows(before, byte, behind)) windows += 1
      }
      last = Buffer.from(all.subarray(-2))
    },
    isLikely: () => mac > windows,
  }
}

function speaksForMac(before: number, byte: number, behind: number): boolean {
  if (UNDEFINED.has(byte)) return true
  if (!isLetter(before)) return false
  if (SIGNS.has(byte)) return isLetter(behind) || END_NO_WORD.has(byte)
  if (CAPITALS.has(byte)) return isSmall(before) || isSmall(behind)
  if (DASHES.has(byte)) return isSmall(behind) || behind >= 0x80
  if (OPENING.has(byte)) return isSmall(behind) || !isLetter(behind)
  if (byte === LIGATURE) return AFTER_U.has(behind) || !isLetter(behind)
  if (byte === APOSTROPHE) return isSmall(behind) && !AFTER_APOSTROPHE.has(behind)
  return byte === MAC_APOSTROPHE && isSmall(before)
}

/** From 0xE0 on: small letters in Windows-1252, capitals and signs in Mac OS Roman. */
function speaksForWindows(before: number, byte: number, behind: number): boolean {
  return byte >= 0xe0 && (isSmall(before) || (isLetter(before) && (isSmall(behind) || behind >= 0xe0)))
}

function isSmall(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}

function isLetter(byte: number): boolean {
  return isSmall(byte) || (byte >= 0x41 && byte <= 0x5a) || byte >= 0x80
}
