import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IMPORT_LIMITS, type Encoding } from '#core/contract/imports/lead-import.ts'
import { defuseCell, restoreCell } from '#core/domain/formula-cell.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'
import { encodeUtf16, readAll } from './read-all.ts'

const RUNS = { numRuns: 10_000 }
/** Characters that are special in CSV, and those that spreadsheets write. */
const SPECIAL = [
  '"',
  ',',
  ';',
  '\r\n',
  '\n',
  '\r',
  '\t',
  '|',
  ' ',
  "'",
  '=',
  '+1',
  '-5',
  '@',
  '＝',
  'é',
  '€',
  '😀',
  '\uFEFF',
  'a',
]
const cell = fc.oneof(
  fc.array(fc.constantFrom(...SPECIAL), { maxLength: 6 }).map((parts) => parts.join('')),
  // Text that cannot be stored, or replacement characters, is refused; open-csv.test.ts has examples.
  fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .map((text) => text.toWellFormed().replaceAll(/[\0\uFFFD]/g, '')),
)
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 4 }),
  )
const cuts = fc.array(fc.nat(), { maxLength: 12 })

const named = (rows: readonly string[][]) => rows[0]?.map((_cell, index) => `c${index}`) ?? []
const write = (rows: readonly string[][]) => [named(rows), ...rows].map(writeCsvRow).join('')
const filled = (rows: readonly string[][]) => rows.filter((row) => row.some((text) => text.trim() !== ''))

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

const ENCODE: Record<Encoding, (text: string) => Buffer> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-16le': (text) => encodeUtf16(text, 'le'),
  'utf-16be': (text) => encodeUtf16(text, 'be'),
  // mac-roman.test.ts covers its letters.
  macintosh: (text) => Buffer.from(text),
  'windows-1252': (text) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1'),
}
const isPlain = (rows: readonly string[][]) => rows.flat().every((text) => /^[\0-\x7f]*$/.test(text))
const isLatin = (rows: readonly string[][]) =>
  rows.flat().every((text) => /^[\0-\x7f\xa0-\xff€]*$/.test(text))

test('written rows are read back unchanged, in any encoding, however their bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      cuts,
      fc.constantFrom<Encoding>(...(Object.keys(ENCODE) as Encoding[])),
      async (rows, places, wanted) => {
        const encoding =
          (wanted === 'windows-1252' && !isLatin(rows)) || (wanted === 'macintosh' && !isPlain(rows))
            ? 'utf-8'
            : wanted
        const pieces = cutAt(ENCODE[encoding](write(rows)), places)
        const { columns, rows: found } = await readAll(pieces, { encoding, delimiter: ',' })
        expect(columns).toEqual(named(rows))
        expect(found?.map(({ cells, fault }) => fault ?? cells)).toEqual(filled(rows))
      },
    ),
    RUNS,
  )
})

test('any bytes give the same result however they are split, and always a clear one', async () => {
  const bytes = fc.oneof(
    fc
      .array(fc.constantFrom(...SPECIAL, '\0', 'c,d\n'), { maxLength: 40 })
      .map((parts) => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
    fc
      .array(fc.constantFrom(0x22, 0x2c, 0x0a, 0x0d, 0x61, 0xe9, 0xc3, 0xa9, 0x80, 0xff), { maxLength: 60 })
      .map((list) => Buffer.from(list)),
  )
  await fc.assert(
    fc.asyncProperty(bytes, cuts, async (whole, places) => {
      const once = await readAll([whole])
      expect(await readAll(cutAt(whole, places))).toEqual(once)
      for (const { cells, fault } of once.rows ?? [])
        expect(
          cells.length <= (once.columns?.length ?? 0) &&
            (fault !== null || cells.length === once.columns?.length),
        ).toBe(true)
    }),
    RUNS,
  )
})

test('no cell that we write is a formula, and reading it back restores the original', () => {
  fc.assert(
    fc.property(cell, (text) => {
      const written = defuseCell(text)
      expect(restoreCell(written)).toBe(text)
      expect(/^[=+\-@\t\r\n＝＋－＠]/.test(written) && !/^-?\d+(\.\d+)?$/.test(written)).toBe(false)
      for (const part of writeCsvRow([text])
        .split(/[;\r\n]+/)
        .slice(1))
        expect(/^"*[=+\-@＝＋－＠]/.test(part) && !/^-?\d+(\.\d+)?"?$/.test(part)).toBe(false)
    }),
    RUNS,
  )
})

test('the limits in the domain equal those in the contract', async () => {
  const { judgeRow } = await import('#core/domain/imports/judge-row.ts')
  const long = 'x'.repeat(IMPORT_LIMITS.rowCharacters)
  expect([judgeRow([long], 1).fault, judgeRow([`${long}x`], 1).fault]).toEqual([null, 'too_long'])
})
