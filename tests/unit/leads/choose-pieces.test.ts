import { expect, test } from 'vitest'
import { choosePieces, listTrigrams } from '#core/data/leads/choose-pieces.ts'

test('a search is known by each three letters of its words and numbers', () => {
  expect(listTrigrams('Ann Lee-Ba')).toEqual(['ann', 'lee'])
  expect(listTrigrams('(512) 0143')).toEqual(['512', '014', '143'])
  expect(listTrigrams('a@b.c')).toEqual([])
})

test('the rarest piece of a search is looked up, and one of another word beside it where all of it is common', () => {
  const often = new Map([
    ...['exa', 'xam', 'amp', 'mpl', 'ple', 'com'].map((trigram): [string, number] => [trigram, 200]),
    ...['fie', 'iel', 'eld'].map((trigram): [string, number] => [trigram, 12]),
  ])
  expect(choosePieces('Zangalfield.Kim9271@example.com', often, 200)).toEqual(['Zangalfi'])
  expect(choosePieces('field example.com', often, 200)).toEqual(['field', 'example'])
  expect(choosePieces('field', often, 200)).toEqual(['field'])
  expect(choosePieces('xq', often, 200)).toEqual([])
})

test('of digits that many phones share others are looked up', () => {
  const often = new Map([
    ['555', 200],
    ['265', 20],
  ])
  expect(choosePieces('+17265550143', often, 200)).toEqual(['550143'])
})
