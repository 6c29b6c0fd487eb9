import { expect, test } from 'vitest'
import { analyticsQuerySchema } from '#core/contract/market/analytics.ts'
import { deliveriesQuerySchema } from '#core/contract/market/delivery-figures.ts'

const schemas = { analyticsQuerySchema, deliveriesQuerySchema }

test.each(Object.entries(schemas))(
  '%s refuses dates in years of five digits, because their texts do not sort',
  (_name, schema) => {
    const faults = (from: string, to: string) =>
      schema.safeParse({ from, to }).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    expect(faults('9999-12-30', '9999-12-31')).toEqual(['from: Is too far ahead', 'to: Is too far ahead'])
    expect(faults('9998-12-30', '9999-01-01')).toEqual(['to: Is too far ahead'])
    expect(faults('9998-12-30', '9998-12-31')).toBeUndefined()
  },
)
