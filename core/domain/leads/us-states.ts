/** State and territory codes with their names. */
export const STATE_NAMES: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  PR: 'Puerto Rico',
  VI: 'U.S. Virgin Islands',
  GU: 'Guam',
  AS: 'American Samoa',
  MP: 'Northern Mariana Islands',
  FM: 'Federated States of Micronesia',
  MH: 'Marshall Islands',
  PW: 'Palau',
  AA: 'Armed Forces Americas',
  AE: 'Armed Forces Europe',
  AP: 'Armed Forces Pacific',
}

/**
 * Associated states and the armed forces: leads from there are accepted and kept, but not sold (docs/product.md §10).
 */
export const UNSOLD_STATES: readonly string[] = ['FM', 'MH', 'PW', 'AA', 'AE', 'AP']
/** The states, the District of Columbia and the territories, whose leads are sold. */
export const SOLD_STATES: readonly string[] = Object.keys(STATE_NAMES).filter(
  (code) => !UNSOLD_STATES.includes(code),
)

/** Other names of states: the postal service's, those of ISO 3166, and common ones. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  DC: ['Washington DC', 'Washington District of Columbia'],
  VI: [
    'United States Virgin Islands',
    'Virgin Islands US',
    'Virgin Islands',
    'Virgin Islands of the United States',
    'USVI',
  ],
  MP: ['Northern Marianas', 'CNMI'],
  FM: ['Micronesia', 'Micronesia Federated States of'],
  AA: ['Armed Forces the Americas', 'Armed Forces Americas except Canada'],
  AE: [
    'Armed Forces Africa',
    'Armed Forces Canada',
    'Armed Forces Middle East',
    'Armed Forces Europe Middle East Africa and Canada',
    'Armed Forces Europe the Middle East and Canada',
  ],
}

const CODES_BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(STATE_NAMES).flatMap(([code, name]) =>
    [code, name, ...(OTHER_NAMES[code] ?? [])].map((called): [string, string] => [fold(called), code]),
  ),
)

/**
 * The code for a code or full name, in any case, with or without full stops, commas and apostrophes; undefined for
 * anything else. `US-CA` (ISO 3166-2) and `State of California` are known too.
 */
export function stateCode(text: string): string | undefined {
  const name = fold(text)
  return (
    CODES_BY_NAME.get(name) ??
    CODES_BY_NAME.get(
      name.replace(/^(?:us[ -]|(?:the )?(?:(?:state|commonwealth|territory|republic) of (?:the )?)?)/, ''),
    )
  )
}

function fold(name: string): string {
  return name
    .replaceAll(/\b(\p{L})\.\s+(?=\p{L}\.)/gu, '$1')
    .replaceAll(/[.,()'`´‘’ʻʼ]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
