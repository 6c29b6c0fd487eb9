const ET = 'America/New_York'
const CT = 'America/Chicago'
const MT = 'America/Denver'
const PT = 'America/Los_Angeles'
/** Mountain time without summer time */
const PHOENIX = 'America/Phoenix'

/**
 * Area codes that lie in one zone, of the states that have two. Compared with Google's libphonenumber
 * (resources/timezones/map_data.txt, Apache-2.0, data of June 2018), which has each of them in the same zone except 689:
 * that one, and the younger 324, 621, 645, 656, 679, 728 and 945, share their area with an older code of this list. An
 * area code across a zone's border is left out, and so is one of another state: a mobile number may have moved.
 */
const ZONES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AZ: inZone(PHOENIX, '480 520 602 623'),
  FL: inZone(ET, '239 305 321 324 352 386 407 561 645 656 689 727 728 754 772 786 813 863 904 941 954'),
  IN: inZone(ET, '260 317 463 765'),
  KS: inZone(CT, '316 913'),
  KY: inZone(ET, '502 859'),
  MI: inZone(ET, '231 248 269 313 517 586 616 679 734 810 947 989'),
  NE: inZone(CT, '402 531'),
  OR: inZone(PT, '503 971'),
  TN: { ...inZone(CT, '615 629 731 901 931'), ...inZone(ET, '865') },
  TX: {
    ...inZone(
      CT,
      '210 214 254 281 325 346 361 409 430 469 512 621 682 713 726 737 806 817 830 832 903 936 940 945 956 972 979',
    ),
    ...inZone(MT, '915'),
  },
}

/** The zone of a phone's area code within a state; undefined if the code does not tell. */
export function zoneOfAreaCode(state: string, phone: string): string | undefined {
  const code = /^\+1(\d{3})\d{7}$/.exec(phone)?.[1]
  return code === undefined ? undefined : ZONES[state]?.[code]
}

function inZone(zone: string, codes: string): Record<string, string> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, zone]))
}
