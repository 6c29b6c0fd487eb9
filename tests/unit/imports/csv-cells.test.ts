import { describe, expect, test } from 'vitest'
import { readAll, readCells } from './read-all.ts'
import { startThreadClock } from '#tests/support/thread-time.ts'

describe('the blanks around a quotation', () => {
  test.each([
    ['a,b\n"Example, Ana" ,2025550143\n', [['Example, Ana', '2025550143']]],
    ['a,b\n2025550143, "Example, Ana"\n', [['2025550143', 'Example, Ana']]],
    ['a,b\n \t"Example, Ana"\t , "x ""y"""  \r\n', [['Example, Ana', 'x "y"']]],
    ['a;b\n1; "Example; Ana" ', [['1', 'Example; Ana']]],
    ['a\tb\n1\t "x\ty" \n', [['1', 'x\ty']]],
    ['"a" , "b"\n1,\u00a0"x, y"\u00a0\n', [['1', 'x, y']]],
    [
      'a,b\n\ufeff"x, y",1\n\u2007"x, z"\u202f,\u3000"2"\n',
      [
        ['x, y', '1'],
        ['x, z', '2'],
      ],
    ],
    ['a,b\n1," x\ny " \n', [['1', ' x\ny ']]],
    ['a,b\n1, " x "\n', [['1', ' x ']]],
    ['a,b\n1, x \n', [['1', ' x ']]],
    ['a,b\n1," "\n', [['1', ' ']]],
    ['a,b\n "x" y,""\n', [[' "x" y', '']]],
    ['a,b\n1, "x" "\n', [['1', ' "x" "']]],
    ['a,b\n1, "x\n', 'quote_not_closed'],
  ])('of %j are removed, and all other blanks are kept', async (text, rows) => {
    expect(await readCells(text)).toEqual(rows)
  })
})

test.each([
  ['="02134"', '02134'],
  ['"=""02134"""', '02134'],
  ['="say ""hi"""', 'say "hi"'],
  ['=""', ''],
  ['="02134" ', '02134'],
  [`'="02134"`, '="02134"'],
  ['="1"+"2"', '="1"+"2"'],
  ['=1+1', '=1+1'],
  ['="a"&"b"', '="a"&"b"'],
])('a formula that a spreadsheet writes to protect text is read as that text: %j', async (cell, text) => {
  expect(await readCells(`a,b\nx,${cell}\n`)).toEqual([['x', text]])
})

test('rows that are shorter than the header get empty cells at their end', async () => {
  expect(await readCells('a,b,c\n1,2\n3\n,,4\n')).toEqual([
    ['1', '2', ''],
    ['3', '', ''],
    ['', '', '4'],
  ])
})

describe('the delimiter', () => {
  test.each([
    [
      'Name;Phone;Email;Comments, notes, remarks\nAna;2025550143;a@example.com;Call, then write\n',
      [['Ana', '2025550143', 'a@example.com', 'Call, then write']],
    ],
    [
      'Name|City, state, zip\nAna|Reno, NV, 89501\nBo|Reno\n',
      [
        ['Ana', 'Reno, NV, 89501'],
        ['Bo', 'Reno'],
      ],
    ],
    [
      'Name\tNotes; wishes; other\nAna\tnone\nBo\tsome; more\n',
      [
        ['Ana', 'none'],
        ['Bo', 'some; more'],
      ],
    ],
    [
      'Name,Notes;a;b;c\nAna,x\nBo,"y;z"\n',
      [
        ['Ana', 'x'],
        ['Bo', 'y;z'],
      ],
    ],
    [
      'Name;Phone;Note, if any, or two, or three;a\nAna;1;x, y, z\nBo;2\nCy;3;;last\n',
      [
        ['Ana', '1', 'x, y, z', ''],
        ['Bo', '2', '', ''],
        ['Cy', '3', '', 'last'],
      ],
    ],
    ['Last, First\tCity, ST\nDoe, Ann\tReno, NV\n', [['Doe, Ann', 'Reno, NV']]],
    ['a;b\n1;2,5\n2;3,5\n3;4,5;more\n', [['1', '2,5'], ['2', '3,5'], 'too_many_cells']],
    ['a, b\n1, 2\n', [['1', ' 2']]],
    [
      'name;price\nAna;1,50\nBo;2,25\nCy;3,75\n',
      [
        ['Ana', '1,50'],
        ['Bo', '2,25'],
        ['Cy', '3,75'],
      ],
    ],
    ['Name;City, State\nAna;"Reno, NV"\n', [['Ana', 'Reno, NV']]],
    ['Name;Note\nAna;"one\ntwo, three"\n', [['Ana', 'one\ntwo, three']]],
  ])('of %j is the one with equal counts in all rows', async (text, rows) => {
    expect(await readCells(text)).toEqual(rows)
  })

  test('is found however long the first row is', async () => {
    const long = `${Array.from({ length: 200 }, (_, at) => `a long name, of column ${at}`).join(';')}\n`
    expect(await readAll([Buffer.from(`${long}${'x;'.repeat(200)}\n`.repeat(40))])).toMatchObject({
      delimiter: ';',
    })
  })
})

describe('a file', () => {
  test.each([
    ['of commas', [',', 60_000_000], { failed: 'too_many_columns', row: 1 }],
    ['of semicolons', [';', 3_000_000], { failed: 'too_many_columns', row: 1 }],
    ['of commas below a header', ['a,b\n1,2\n', 1, ',', 300], { failed: 'too_many_columns', row: 3 }],
    ['of quotation marks', ['a,b\n1,2\n', 1, '"', 3_000_000], { failed: 'row_too_long', row: 3 }],
    ['of one word', ['a,b\n', 1, 'x', 3_000_000], { failed: 'row_too_long', row: 2 }],
  ] as const)('%s is refused before it is read into memory', async (_what, parts, answer) => {
    let text = ''
    for (let at = 0; at < parts.length; at += 2) text += String(parts[at]).repeat(Number(parts[at + 1]))
    const bytes = Buffer.from(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 262_144) }, (_, at) =>
      bytes.subarray(at * 262_144, (at + 1) * 262_144),
    )
    const begun = process.memoryUsage().heapUsed
    expect(await readAll(pieces)).toEqual(answer)
    expect(process.memoryUsage().heapUsed - begun).toBeLessThan(100_000_000)
  })

  test('with 300 cells a row is read, and empty lines in it are skipped quickly', async () => {
    const rows = await readCells(`${'c,'.repeat(299)}c\n${','.repeat(299)}\n${'1,'.repeat(299)}1\n`)
    expect(rows).toHaveLength(1)
    const spent = startThreadClock()
    const lines = Array.from({ length: 8 }, () => Buffer.from(', ,\n'.repeat(256 * 1024)))
    expect(await readAll([Buffer.from('a,b\n1,2\n'), ...lines])).toMatchObject({
      rows: [{ cells: ['1', '2'] }],
    })
    expect(spent()).toBeLessThan(10_000)
  })
})
