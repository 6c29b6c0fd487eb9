import { listAnswers } from './list-answers.ts'
import { listCallRules } from './list-call-rules.ts'
import { listClientEvents, listEventFrame } from './list-client-events.ts'
import { listEndpointAddresses } from './list-endpoint-addresses.ts'
import { listErrorClasses } from './list-error-classes.ts'
import { listEvents, listTimeline } from './list-events.ts'
import { listHeaders } from './list-headers.ts'
import { listLeadFields, listPostingAnswers } from './list-lead-fields.ts'
import { listLimits } from './list-limits.ts'
import { listFormats } from './list-formats.ts'
import { listPlaceholders } from './list-placeholders.ts'
import { listPresets } from './list-presets.ts'
import { listProblemCodes } from './list-problem-codes.ts'
import { listRetries } from './list-retries.ts'
import { listDeliveryStates, listLeadStates } from './list-states.ts'
import { listStorage } from './list-storage.ts'
import { listVariables } from './list-variables.ts'

const TABLES: Readonly<Record<string, () => string>> = {
  answers: listAnswers,
  'browser-storage': listStorage,
  'call-rules': listCallRules,
  'client-events': listClientEvents,
  'delivery-states': listDeliveryStates,
  'endpoint-addresses': listEndpointAddresses,
  'environment-variables': listVariables,
  'error-classes': listErrorClasses,
  'event-frame': listEventFrame,
  events: listEvents,
  headers: listHeaders,
  'lead-fields': listLeadFields,
  'lead-states': listLeadStates,
  limits: listLimits,
  placeholders: listPlaceholders,
  formats: listFormats,
  'posting-answers': listPostingAnswers,
  presets: listPresets,
  'problem-codes': listProblemCodes,
  retries: listRetries,
  timeline: listTimeline,
}

/** The valid names in `<!-- table: NAME -->` of a page in docs/site. */
export const TABLE_NAMES: readonly string[] = Object.keys(TABLES)

/**
 * The markdown that replaces `<!-- table: NAME -->`, made from the code that it describes. Some names give
 * several tables with headings of the third level.
 * @throws Error if there is no such table
 */
export function renderTable(name: string): string {
  const table = TABLES[name]
  if (table === undefined)
    throw new Error(`There is no table "${name}"; there are: ${TABLE_NAMES.join(', ')}`)
  return table()
}
