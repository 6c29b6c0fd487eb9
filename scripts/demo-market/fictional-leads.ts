/** A person who does not exist: 555-01xx numbers and example.com are reserved. */
export interface FictionalLead {
  external_id: string
  lead_type: string
  first_name: string
  last_name: string
  email: string
  phone: string
  state: string
  city: string
  zip: string
  age: number
  coverage_amount: number
  consent_given: true
  consent_at: string
  consent_text: string
  consent_url: string
}

const FIRST = [
  'Ada',
  'Bea',
  'Cal',
  'Dot',
  'Eli',
  'Fay',
  'Gus',
  'Hal',
  'Ida',
  'Jo',
  'Kit',
  'Lou',
  'May',
  'Ned',
]
const LAST = ['Example', 'Sample', 'Placeholder', 'Specimen', 'Demo']
const PLACES = [
  { state: 'CA', city: 'Fresno', zip: '93701', area: '559' },
  { state: 'TX', city: 'Waco', zip: '76701', area: '254' },
  { state: 'FL', city: 'Ocala', zip: '34470', area: '352' },
  { state: 'NY', city: 'Utica', zip: '13501', area: '315' },
  { state: 'OH', city: 'Dayton', zip: '45402', area: '937' },
  { state: 'GA', city: 'Macon', zip: '31201', area: '478' },
  { state: 'CA', city: 'Modesto', zip: '95350', area: '209' },
  { state: 'TX', city: 'Corpus Christi', zip: '78401', area: '361' },
  { state: 'FL', city: 'Pensacola', zip: '32501', area: '850' },
  { state: 'NY', city: 'Albany', zip: '12207', area: '518' },
  { state: 'OH', city: 'Toledo', zip: '43604', area: '419' },
  { state: 'GA', city: 'Albany', zip: '31701', area: '229' },
  { state: 'CA', city: 'Redding', zip: '96001', area: '530' },
  { state: 'TX', city: 'Lubbock', zip: '79401', area: '806' },
  { state: 'FL', city: 'Lakeland', zip: '33801', area: '863' },
  { state: 'NY', city: 'Ithaca', zip: '14850', area: '607' },
  { state: 'OH', city: 'Akron', zip: '44308', area: '330' },
  { state: 'GA', city: 'Athens', zip: '30601', area: '706' },
  { state: 'CA', city: 'Bakersfield', zip: '93301', area: '661' },
  { state: 'TX', city: 'Tyler', zip: '75702', area: '903' },
  { state: 'FL', city: 'Stuart', zip: '34994', area: '772' },
  { state: 'NY', city: 'Buffalo', zip: '14202', area: '716' },
  { state: 'OH', city: 'Marietta', zip: '45750', area: '740' },
  { state: 'GA', city: 'Savannah', zip: '31401', area: '912' },
]
const COVERAGES = [5_000, 10_000, 15_000, 20_000, 25_000]
/** 555-0100 to 555-0199 */
const NUMBERS = 100

/**
 * The lead with this number. The same number is the same person; no two of the first {@link DISTINCT_LEADS}
 * share a phone or an address, so that none counts as a duplicate.
 */
export function fictionalLead(number: number, at: Date): FictionalLead {
  const place = pick(PLACES, number)
  const first = pick(FIRST, number * 5)
  const last = pick(LAST, number * 3 + Math.floor(number / FIRST.length))
  const line = String(100 + (Math.floor(number / PLACES.length) % NUMBERS)).padStart(4, '0')
  return {
    external_id: `demo-${number}`,
    lead_type: 'final_expense',
    first_name: first,
    last_name: last,
    email: `${first}.${last}.${number}@example.com`.toLowerCase(),
    phone: `+1${place.area}555${line}`,
    state: place.state,
    city: place.city,
    zip: place.zip,
    age: 50 + ((number * 7) % 36),
    coverage_amount: pick(COVERAGES, number * 2),
    consent_given: true,
    consent_at: at.toISOString(),
    consent_text: 'A fictional person agreed to be called by a fictional agency.',
    consent_url: 'https://example.com/quote',
  }
}

/** The number of leads before a phone repeats. */
export const DISTINCT_LEADS = PLACES.length * NUMBERS

function pick<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item
}
