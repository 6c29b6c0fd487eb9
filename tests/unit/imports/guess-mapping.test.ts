import { expect, test } from 'vitest'
import { INGEST_FIELDS } from '#core/contract/leads/lead-ingest.ts'
import { customFieldOf, guessMapping } from '#core/domain/imports/guess-mapping.ts'
import { checkMapping } from '#core/use-cases/ingest/check-mapping.ts'

const guess = (...columns: string[]) => guessMapping(columns, INGEST_FIELDS)

test('columns are recognised by common names, and each field is assigned once', () => {
  expect(
    guess(
      'Lead ID',
      'First Name',
      'LAST_NAME',
      'E-mail',
      'Cell Phone',
      'Phone 2',
      'ST',
      'Zip Code',
      'DOB',
      'Smoker?',
    ),
  ).toEqual([
    'external_id',
    'first_name',
    'last_name',
    'email',
    'phone',
    'alt_phone',
    'state',
    'zip',
    'date_of_birth',
    'tobacco',
  ])
  expect(
    guess('Email', 'Email (2)', 'Mail', 'Favourite colour', 'utm_source', 'UTM Medium', 'constructor'),
  ).toEqual(['email', '', '', '', 'utm_source', 'utm_medium', ''])
})

test('a column becomes a custom field under a valid name', () => {
  const names = ['Favourite colour', 'Año', '  ', '###', 'x'.repeat(80)]
  expect(names.map(customFieldOf)).toEqual([
    'custom.favourite_colour',
    'custom.ano',
    undefined,
    undefined,
    `custom.${'x'.repeat(64)}`,
  ])
})

test('every guess is a valid field, and every field of a lead is guessed from its own name', () => {
  const columns = [...INGEST_FIELDS].filter((field) => field !== 'utm' && field !== 'custom')
  const mapping = guessMapping(columns, INGEST_FIELDS)
  expect(mapping).toEqual(columns)
  expect(checkMapping({ mapping, constants: {} }, columns)).toEqual([])
})
