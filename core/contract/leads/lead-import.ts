/** How the bytes of a file stand for text. `windows-1252` holds all that is Latin-1. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** What separates the cells of a row. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

export const IMPORT_LIMITS = {
  columns: 300,
  rows: 1_000_000,
  /** characters of a row; a longer one is refused alone */
  rowCharacters: 65_536,
  /** bytes of a row, past which a quotation mark must be missing its end: the file is refused */
  rowBytes: 2 * 1024 * 1024,
  /** bytes of one request that brings a part of the file */
  part: 4 * 1024 * 1024,
  /** rows of a preview */
  preview: 20,
} as const
