import { describe, expect, test } from 'vitest'
import { openCsv } from '#core/csv/open-csv.ts'
import { encodeUtf16, readAll, readCells } from './read-all.ts'
import { startThreadClock } from '#tests/support/thread-time.ts'

const JOSE = 'name;city\r\nJosé;Córdoba\r\n'
const marked = (mark: number[], bytes: Buffer) => Buffer.concat([Buffer.from(mark), bytes])

describe('the encoding of a file', () => {
  test.each([
    ['utf-8', 'without a mark', Buffer.from(JOSE)],
    ['utf-8', 'by its mark', marked([0xef, 0xbb, 0xbf], Buffer.from(JOSE))],
    ['utf-16le', 'by its mark', marked([0xff, 0xfe], encodeUtf16(JOSE, 'le'))],
    ['utf-16be', 'by its mark', marked([0xfe, 0xff], encodeUtf16(JOSE, 'be'))],
    ['utf-16le', 'without a mark', encodeUtf16(JOSE, 'le')],
    ['utf-16be', 'without a mark', encodeUtf16(JOSE, 'be')],
    ['windows-1252', 'without a mark', Buffer.from(JOSE, 'latin1')],
  ])('%s is recognised %s', async (encoding, _how, bytes) => {
    expect(await readAll([bytes])).toMatchObject({
      encoding,
      delimiter: ';',
      columns: ['name', 'city'],
      rows: [{ row: 2, cells: ['José', 'Córdoba'], fault: null }],
    })
  })

  test('is Windows-1252 if a byte is undefined in Latin-1, even after 100 KB of ASCII', async () => {
    const ascii = `n\n${'x\n'.repeat(50_000)}`
    const bytes = Buffer.concat([Buffer.from(ascii), Buffer.from([0x80, 0x93, 0x41, 0x94, 0x0a])])
    const { encoding, rows } = await readAll([bytes])
    expect(encoding).toBe('windows-1252')
    expect(rows?.at(-1)?.cells).toEqual(['€“A”'])
  })

  test('is the one that the user chooses, unless a mark says otherwise; an invalid byte refuses only its row', async () => {
    const bytes = Buffer.concat([Buffer.from('n\nok\nJos'), Buffer.from([0xe9]), Buffer.from('\nok\n')])
    expect(await readCells(bytes, { encoding: 'utf-8' })).toEqual([['ok'], 'bad_characters', ['ok']])
    expect(await readCells(marked([0xff, 0xfe], encodeUtf16('n\né', 'le')), { encoding: 'utf-8' })).toEqual([
      ['é'],
    ])
  })
})

describe('rows', () => {
  test.each([
    ['a,b\n1;2,3\n', [['1;2', '3']]],
    ['a\tb\r\n1,5\t2\r\n', [['1,5', '2']]],
    ['a|b\n1|2', [['1', '2']]],
    ['"a;x","b"\n1,2\n', [['1', '2']]],
    ['sep=;\r\na;b\r\n1;2\r\n', [['1', '2']]],
    ['a\n1,2\n', ['too_many_cells']],
  ])('of %j are split at the declared or detected delimiter', async (text, rows) => {
    expect(await readCells(text)).toEqual(rows)
  })

  test('keep quotes, line breaks, commas inside quotation marks, and a misplaced quotation mark', async () => {
    expect(await readCells('a,b\r\n"x\r\ny","say ""hi"", you"\n5" pipe,"Bob "X" Y"\n')).toEqual([
      ['x\r\ny', 'say "hi", you'],
      ['5" pipe', '"Bob "X" Y"'],
    ])
  })

  test('are numbered as in a spreadsheet, with the header and empty rows', async () => {
    const { rows } = await readAll([Buffer.from('\na,b\n\n1,2\n , \n3,4\n,\n')])
    expect(rows?.map(({ row, cells }) => [row, ...cells])).toEqual([
      [4, '1', '2'],
      [6, '3', '4'],
    ])
  })

  test('that are empty are skipped and counted, even millions of them', async () => {
    const empty = Array.from({ length: 16 }, () => Buffer.from('\n'.repeat(256 * 1024)))
    const file = [Buffer.from('name,email\n'), ...empty, Buffer.from('Ada,ada@example.com\n"')]
    const spent = startThreadClock()
    const row = 16 * 256 * 1024 + 2
    expect((await readAll([...file.slice(0, -1), Buffer.from('Ada,ada@example.com\n')])).rows).toEqual([
      { row, cells: ['Ada', 'ada@example.com'], fault: null },
    ])
    expect(await readAll(file)).toEqual({ failed: 'quote_not_closed', row: row + 1 })
    // Reading empty rows one by one would take half a minute.
    expect(spent()).toBeLessThan(5000)
  })

  test('that are too wide, too long or contain NUL are refused one by one; empty cells at the end are allowed', async () => {
    expect(await readCells(`a,b\n1,2,,\n1\n1,2,3\n1,\0\n1,${'x'.repeat(1024 * 1024)}\n3,4\n`)).toEqual([
      ['1', '2'],
      ['1', ''],
      'too_many_cells',
      'nul',
      'too_long',
      ['3', '4'],
    ])
    const { rows } = await readAll([Buffer.from(`a,b\n\0,${'x'.repeat(70_000)}\n`)])
    expect(rows?.[0]?.cells).toEqual(['\uFFFD', 'x'.repeat(200)])
  })

  test('with formulas stay text, without the apostrophe that a spreadsheet puts before them', async () => {
    expect(await readCells("a,b,c\n=cmd|' /C calc'!A0,'+1 202 555 0143,'tis\n")).toEqual([
      ["=cmd|' /C calc'!A0", '+1 202 555 0143', "'tis"],
    ])
  })
})

describe('columns', () => {
  test('have names; empty and repeated ones are replaced', async () => {
    const { columns } = await readAll([Buffer.from('Email, email ,,"Two\nlines"\n1,2,3,4\n')])
    expect(columns).toEqual(['Email', 'email (2)', 'Column 3', 'Two lines'])
  })

  test('may be 300', async () => {
    const row = (count: number) => `${Array.from({ length: count }, (_, at) => `c${at}`).join(',')}\n`
    expect((await readAll([Buffer.from(row(300).repeat(2))])).rows?.[0]?.cells).toHaveLength(300)
    expect(await readAll([Buffer.from(row(301).repeat(2))])).toEqual({ failed: 'too_many_columns', row: 1 })
  })
})

describe('a file', () => {
  test.each([
    ['that is empty', '', { failed: 'empty' }],
    ['of empty lines', '\n\n,,\n', { failed: 'empty' }],
    ['that is a workbook', 'PK\u0003\u0004…', { failed: 'workbook' }],
    ['whose first row is somebody', '\nRosa,rosa@example.com\n', { failed: 'no_header', row: 2 }],
    ['whose first row has a phone', 'Rosa,(202) 555-0143\n', { failed: 'no_header', row: 1 }],
    ['that is no text', '\0\0\u0001,b\n', { failed: 'not_text', row: 1 }],
    ['in which a quotation is not ended', 'a,b\n1,2\n3,"4\n5,6\n', { failed: 'quote_not_closed', row: 3 }],
    [
      'in which it goes on for more than 2 MiB',
      `a,b\n1,2\n3,"${'4\n'.repeat(1_100_000)}`,
      { failed: 'row_too_long', row: 3 },
    ],
  ])('%s is refused', async (_what, text, answer) => {
    expect(await readAll([Buffer.from(text)])).toEqual({ row: undefined, ...answer })
  })
})

test('a file is read only a few chunks ahead of its rows, even for a slow reader', async () => {
  const line = 'Rosa,Example,rosa@example.com,(202) 555-0143,CA,"Some, note ""quoted"""\r\n'
  let sent = 0
  async function* come() {
    yield Buffer.from('first,last,email address,phone number,state,notes\r\n')
    for (; sent < 40; sent += 1) yield Buffer.from(line.repeat(1000))
  }
  let rows = 0
  let furthest = 0
  for await (const _row of (await openCsv(come(), {})).rows) {
    rows += 1
    furthest = Math.max(furthest, sent - rows / 1000)
    if (rows % 1000 === 0) await new Promise(setImmediate)
  }

  expect(rows).toBe(40_000)
  expect(furthest).toBeLessThan(6)
})
