import { z } from 'zod'
import { CLIENT_EVENTS, clientEventSchema } from '../../events.ts'
import { anyObject } from '../../named-values.ts'

/** The events beside the lead that a webhook has chosen, each once. */
export const chosenEventsSchema = z
  .array(clientEventSchema)
  .max(CLIENT_EVENTS.length * 2)
  .overwrite((events) => [...new Set(events)])

/** A webhook's own template for some of them; an event without one has the default (defaultEventTemplate). */
export const eventTemplatesSchema = z.partialRecord(
  clientEventSchema,
  anyObject('The template of an event must be a JSON object'),
)
