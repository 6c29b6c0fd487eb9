import { expect, test } from 'vitest'
import { readAll } from './read-all.ts'

const read = async (text: string, header?: number) => await readAll([Buffer.from(text)], { header })

test.each([
  ['Leads of spring\n\nname,email\nRosa,rosa@example.com\nAna,ana@example.com\n', 3],
  ['Leads of spring, summer\nMade by us\nname;email;state\nRosa;rosa@example.com;CA\n', 3],
  ['Leads,,\nCall (202) 555-0143,,\nname,email,state\nRosa,rosa@example.com,CA\n', 3],
  ['Leads;;;\nFrom May;to June;;\nname;email;state;notes\nRosa;rosa@example.com;;x\n', 3],
  ['name,email\nRosa,rosa@example.com\n', 1],
  ['email\nrosa@example.com\nana@example.com\n', 1],
  ['email,,\nrosa@example.com,,\n', 1],
])('title rows above the header are skipped: %j', async (text, header) => {
  const { rows, ...found } = await read(text)
  expect(found).toMatchObject({ header })
  expect(rows?.[0]).toMatchObject({ row: header + 1, fault: null })
})

test('a header with unnamed columns is preferred to the wider data rows below it', async () => {
  expect(await read('name,phone,,,,\nAna,2025550143,a,b,c,d\nBo,2025550144,a,b,c,d\n')).toMatchObject({
    header: 1,
    columns: ['name', 'phone', 'Column 3', 'Column 4', 'Column 5', 'Column 6'],
  })
  expect(await read('Leads\nname,phone,,,,\nAna,2025550143,a,b,c,d\nBo,2025550144,a,b,c,d\n')).toMatchObject({
    header: 2,
  })
  expect(await read('Ana,2025550143,a\nBo,2025550144,b\n')).toEqual({ failed: 'no_header', row: 1 })
})

test('the header is the row that the user chooses, or the next row that is not empty', async () => {
  const text = 'Export,2026-11-27\nOf,us\nname,email\nRosa,rosa@example.com\n'
  expect(await read(text)).toMatchObject({ header: 1, columns: ['Export', '2026-11-27'] })
  expect(await read(text, 3)).toMatchObject({
    header: 3,
    columns: ['name', 'email'],
    rows: [{ row: 4, cells: ['Rosa', 'rosa@example.com'] }],
  })
  expect(await read('x,y\n\nname,email\n1,2\n', 2)).toMatchObject({ header: 3 })
  expect(await read('Leads\nname,email\n1,2\n', 1)).toMatchObject({ header: 1, columns: ['Leads'] })
  expect(await read(text, 9)).toEqual({ failed: 'no_header_row', row: 9 })
})

test('the first rows are offered as header choices, each shortened', async () => {
  const { head } = await read(`Leads\n\nname,email\n${`Rosa,${'x'.repeat(300)}\n`.repeat(40)}`)
  expect(head).toHaveLength(20)
  expect(head?.slice(0, 3)).toEqual([
    { row: 1, text: 'Leads' },
    { row: 3, text: 'name | email' },
    { row: 4, text: `Rosa | ${'x'.repeat(92)}…` },
  ])
})
