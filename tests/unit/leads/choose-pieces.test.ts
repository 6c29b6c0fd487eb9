import { expect, test } from 'vitest'
import { choosePieces, listTrigrams } from '#core/data/leads/choose-pieces.ts'

test('a search is known by each three letters of its words and numbers', () => {
  expect(listTrigrams('Ann Lee-Ba')).toEqual(['ann', 'lee'])
  expect(listTrigrams('(512) 0143')).toEqual(['512', '014', '143'])
  expect(listTrigrams('a@b.c')).toEqual([])
})

/** What is asked about a search, and what 200 texts answer: of what is not named here, none has it. */
const choose = (search: string, often: ReadonlyMap<string, number>) =>
  choosePieces(
    search,
    new Map(listTrigrams(search).map((trigram) => [trigram, often.get(trigram) ?? 0])),
    200,
  )

test('the rarest piece of a search is looked up, and one of another word beside it where all of it is common', () => {
  const often = new Map([
    ...['exa', 'xam', 'amp', 'mpl', 'ple', 'com'].map((trigram): [string, number] => [trigram, 200]),
    ...['fie', 'iel', 'eld'].map((trigram): [string, number] => [trigram, 12]),
  ])
  expect(choose('Zangalfield@example.com', often)).toEqual(['Zangalfi'])
  // Where the sample knows neither, there may be thousands of each, and few of both.
  expect(choose('Zangalfield.Kim9271@example.com', often)).toEqual(['Zangalfi', 'Kim9271'])
  expect(choose('field example.com', often)).toEqual(['field', 'example'])
  expect(choose('field', often)).toEqual(['field'])
  expect(choose('xq', often)).toEqual([])
})

test('of digits that many phones share others are looked up', () => {
  const often = new Map([
    ['555', 200],
    ['265', 20],
    ['550', 20],
    ['501', 20],
  ])
  expect(choose('550143', often)).toEqual(['550143'])
  expect(choose('+17275550143', often).toSorted()).toEqual(['0143', '1727'])
})

test('what lies beyond the letters that are asked about is not taken for rare', () => {
  const name = 'quindreleyzandregrimanfield.jordan'
  const known = new Map(listTrigrams(name).map((trigram) => [trigram, 9]))
  expect(choosePieces(`${name}392065@example.com`, known, 200)[0]).toHaveLength(8)
  expect(choosePieces(`${name}392065@example.com`, known, 200).join(' ')).not.toContain('example')
})
