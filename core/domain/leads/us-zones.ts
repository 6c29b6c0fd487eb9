const ET = 'America/New_York'
const CT = 'America/Chicago'
const MT = 'America/Denver'
const PT = 'America/Los_Angeles'
const AK = 'America/Anchorage'
/** Mountain time without summer time, which the Navajo Nation in the north-east of Arizona keeps. */
const PHOENIX = 'America/Phoenix'

/** The time zones of each state and territory, the one in which most people live first. */
export const STATE_ZONES: Readonly<Record<string, readonly string[]>> = {
  ...inZone(ET, 'CT DE DC GA ME MD MA NH NJ NY NC OH PA RI SC VT VA WV'),
  ...inZone(CT, 'AL AR IL IA LA MN MS MO OK WI'),
  ...inZone(MT, 'CO MT NM UT WY'),
  ...inZone(PT, 'CA NV WA'),
  AK: [AK, 'America/Adak'],
  AZ: [PHOENIX, MT],
  HI: ['Pacific/Honolulu'],
  FL: [ET, CT],
  ID: [MT, PT],
  IN: [ET, CT],
  KS: [CT, MT],
  KY: [ET, CT],
  MI: [ET, CT],
  ND: [CT, MT],
  NE: [CT, MT],
  OR: [PT, MT],
  SD: [CT, MT],
  TN: [CT, ET],
  TX: [CT, MT],
  AS: ['Pacific/Pago_Pago'],
  GU: ['Pacific/Guam'],
  MP: ['Pacific/Guam'],
  PR: ['America/Puerto_Rico'],
  VI: ['America/Puerto_Rico'],
}

/**
 * The areas of ZIP codes in those states, by their first three digits, that lie in one zone; areas across a border are
 * left out.
 */
const AREAS: Readonly<Record<string, ReadonlyArray<readonly [from: number, to: number, zone: string]>>> = {
  AK: [[996, 999, AK]],
  AZ: [
    [850, 853, PHOENIX],
    [855, 857, PHOENIX],
    [859, 859, PHOENIX],
    [863, 864, PHOENIX],
  ],
  FL: [
    [320, 323, ET],
    [325, 325, CT],
    [326, 349, ET],
  ],
  ID: [
    [832, 834, MT],
    [835, 835, PT],
    [837, 837, MT],
    [838, 838, PT],
  ],
  IN: [
    [460, 462, ET],
    [463, 464, CT],
    [466, 474, ET],
    [476, 477, CT],
    [478, 478, ET],
  ],
  KS: [[660, 676, CT]],
  KY: [
    [400, 418, ET],
    [420, 424, CT],
    [425, 425, ET],
  ],
  MI: [[480, 497, ET]],
  ND: [
    [580, 584, CT],
    [586, 586, MT],
    [587, 588, CT],
  ],
  NE: [
    [680, 689, CT],
    [693, 693, MT],
  ],
  OR: [[970, 978, PT]],
  SD: [
    [570, 574, CT],
    [577, 577, MT],
  ],
  TN: [
    [370, 372, CT],
    [374, 374, ET],
    [375, 375, CT],
    [376, 379, ET],
    [380, 384, CT],
  ],
  TX: [
    [750, 797, CT],
    [799, 799, MT],
    [885, 885, MT],
  ],
}

/** The zone of a ZIP code within its state; undefined if the code does not tell. */
export function zoneOfZip(state: string, zip: string): string | undefined {
  const area = /^\d{5}/.test(zip) ? Number(zip.slice(0, 3)) : 0
  return AREAS[state]?.find(([from, to]) => area >= from && area <= to)?.[2]
}

function inZone(zone: string, states: string): Record<string, readonly string[]> {
  return Object.fromEntries(states.split(' ').map((state) => [state, [zone]]))
}
