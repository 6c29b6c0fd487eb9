/** Time zones of the states and territories whose leads are sold. */
export const US_ZONES = [
  { value: 'America/New_York', label: 'Eastern (New York)' },
  { value: 'America/Chicago', label: 'Central (Chicago)' },
  { value: 'America/Denver', label: 'Mountain (Denver)' },
  { value: 'America/Phoenix', label: 'Arizona (Phoenix)' },
  { value: 'America/Los_Angeles', label: 'Pacific (Los Angeles)' },
  { value: 'America/Anchorage', label: 'Alaska (Anchorage)' },
  { value: 'Pacific/Honolulu', label: 'Hawaii (Honolulu)' },
  { value: 'America/Puerto_Rico', label: 'Atlantic (Puerto Rico)' },
  { value: 'Pacific/Guam', label: 'Chamorro (Guam)' },
  { value: 'Pacific/Pago_Pago', label: 'Samoa (Pago Pago)' },
  { value: 'UTC', label: 'UTC' },
]

/** Adds the current zone if it is none of these, because the API takes any. */
export function offerZones(current: string) {
  return US_ZONES.some(({ value }) => value === current)
    ? US_ZONES
    : [{ value: current, label: current.replaceAll('_', ' ') }, ...US_ZONES]
}
