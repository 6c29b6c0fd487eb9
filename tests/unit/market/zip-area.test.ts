import { describe, expect, it } from 'vitest'
import { openCircle, openZipArea } from '#core/domain/market/orders/zip-area.ts'
import { findPlace, listZipsNear } from '#core/zip-table/zip-table.ts'

const area = (codes: string[], near: string | null = null, miles: number | null = null) =>
  openZipArea({ zip_codes: codes, near_zip: near, near_miles: miles }, findPlace)
const asked = (of: ReturnType<typeof area>, ...zips: (string | null)[]) => zips.map((zip) => of?.covers(zip))

describe('an area of ZIP codes', () => {
  it('is none without a list and a circle', () => {
    expect(area([])).toBe(null)
  })

  it('has the named codes, and those that begin with named digits', () => {
    const dallas = area(['752', '7500', '76102'])
    expect(asked(dallas, '75201', '75201-1234', '75006', '76102', '76103', '7520')).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it('never has a lead without a ZIP code', () => {
    expect(asked(area(['752'], '75201', 500), null, '', 'x', '7520')).toEqual([false, false, false, false])
  })

  it('has the codes within so many miles of another, and the list besides', () => {
    // Fort Worth is about 31 miles from Dallas; Houston 225.
    expect(asked(area([], '75201', 35), '76102', '77002')).toEqual([true, false])
    expect(asked(area([], '75201', 25), '75201', '76102')).toEqual([true, false])
    expect(asked(area(['770'], '75201', 25), '77002')).toEqual([true])
    // A post office's boxes have no area, and a circle around an unknown code has no lead.
    expect(asked(area([], '75201', 35), '00001')).toEqual([false])
    expect(asked(area([], '00001', 500), '75201')).toEqual([false])
  })
})

it('knows the centres of ZIP codes to a mile, of the states and Puerto Rico', () => {
  const at = (zip: string) => {
    const place = findPlace(zip)
    return place && [Math.round(place.latitude * 10) / 10, Math.round(place.longitude * 10) / 10]
  }
  expect([at('10001'), at('90001'), at('99501'), at('00901')]).toEqual([
    [40.8, -74],
    [34, -118.2],
    [61.2, -149.9],
    [18.5, -66.1],
  ])
  const centre = findPlace('10001') ?? { latitude: 0, longitude: 0 }
  const near = listZipsNear(openCircle(centre, 2))
  expect(near).toContain('10011')
  expect(near.length).toBeGreaterThan(20)
  expect(near.length).toBeLessThan(120)
})

it('measures along the surface, also across the poles and the date line', () => {
  const isNear = openCircle({ latitude: 52, longitude: 179.9 }, 20)
  expect(isNear({ latitude: 52, longitude: -179.9 })).toBe(true)
  expect(openCircle({ latitude: 40, longitude: -100 }, 69)({ latitude: 41, longitude: -100 })).toBe(false)
  expect(openCircle({ latitude: 40, longitude: -100 }, 69.2)({ latitude: 41, longitude: -100 })).toBe(true)
})
