import { gohighlevel, make, plain, zapier } from './automation.ts'
import { hubspot, ringy, salesforce, zoho } from './crm.ts'
import { convoso, five9, ricochet360, vanillasoft } from './dialers.ts'
import { agencybloc, insureio } from './insurance.ts'
import type { Preset } from './preset.ts'

/** Every preset, in the order of the dialog's list; a new configuration begins with the first. */
export const PRESETS: readonly [Preset, ...Preset[]] = [
  plain,
  zapier,
  make,
  gohighlevel,
  hubspot,
  salesforce,
  zoho,
  ringy,
  agencybloc,
  vanillasoft,
  convoso,
  five9,
  ricochet360,
  insureio,
]
