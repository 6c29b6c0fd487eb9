/** A point on the earth, in degrees. */
export interface Place {
  latitude: number
  longitude: number
}

/** The ZIP codes that an order or a condition names: a list, a circle, or both. */
export interface ZipTerms {
  /** whole ZIP codes, or their first three or four digits */
  zip_codes: readonly string[]
  near_zip: string | null
  near_miles: number | null
}

/** An area that is compiled once and asked for many leads. */
export interface ZipArea {
  /** whether a lead with this ZIP code (`75201` or `75201-1234`) is in it; never if its code is missing */
  covers: (zip: string | null) => boolean
}

/** The mean radius of the earth (IUGG). */
const EARTH_MILES = 3958.8
const RADIANS = Math.PI / 180

/**
 * Compiles an area: a lead is in it if the list names its ZIP code, or if the centre of its ZIP code is in the circle.
 * @param findPlace the centre of a ZIP code (core/zip-table)
 * @returns null for terms that name no area: every lead is in it. A circle around an unknown ZIP code has no lead
 */
export function openZipArea(
  { zip_codes: codes, near_zip: near, near_miles: miles }: ZipTerms,
  findPlace: (zip: string) => Place | undefined,
): ZipArea | null {
  if (codes.length === 0 && (near === null || miles === null)) return null
  const named = new Set(codes)
  const centre = near === null || miles === null ? undefined : findPlace(near)
  const isNear = centre === undefined ? undefined : openCircle(centre, miles ?? 0)
  return {
    covers: (zip) => {
      const code = zip?.slice(0, 5) ?? ''
      if (code.length < 5) return false
      if (named.has(code) || named.has(code.slice(0, 4)) || named.has(code.slice(0, 3))) return true
      if (isNear === undefined) return false
      const place = findPlace(code)
      return place !== undefined && isNear(place)
    },
  }
}

/** Whether places are within so many miles, along the surface (haversine). */
export function openCircle(centre: Place, miles: number): (place: Place) => boolean {
  const cosine = Math.cos(centre.latitude * RADIANS)
  const most = Math.sin(Math.min(miles / EARTH_MILES / 2, Math.PI / 2)) ** 2
  const mostDegrees = miles / EARTH_MILES / RADIANS
  return ({ latitude, longitude }) => {
    // Most places are too far north or south, which costs less to see.
    if (Math.abs(latitude - centre.latitude) > mostDegrees) return false
    const north = Math.sin(((latitude - centre.latitude) * RADIANS) / 2)
    const east = Math.sin(((longitude - centre.longitude) * RADIANS) / 2)
    return north * north + cosine * Math.cos(latitude * RADIANS) * east * east <= most
  }
}

/** Reads a circle of a condition: `within 25 miles of 75201`; undefined for other values. */
export function readCircle(value: string): Pick<ZipTerms, 'near_zip' | 'near_miles'> | undefined {
  const [, miles, zip] = /^within (\d{1,3}) miles? of (\d{5})$/i.exec(value) ?? []
  return miles === undefined || zip === undefined ? undefined : { near_zip: zip, near_miles: Number(miles) }
}
