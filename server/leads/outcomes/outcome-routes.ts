import { z } from 'zod'
import { outcomeReceiptSchema, outcomeReportSchema } from '#core/contract/leads/lead-outcome.ts'
import { OUTCOMES_PATH } from '#core/domain/leads/outcome-url.ts'
import { route } from '../../http/route.ts'
import { takeOutcome } from './take-outcome.ts'

const outcomeQuerySchema = z.object({
  token: z.string().optional().describe('From `{{outcome_url}}`'),
})

/** A person who opens the address in a browser. Mail scanners and previews of links open it too, so it changes nothing. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>An address for programs · Leadwire</title>
<h1>This is an address for programs</h1>
<p>A CRM posts to it what became of a lead. Opening it changes nothing.</p>
<p><a href="/documentation/outcomes">How to report outcomes</a></p>
</html>
`

const HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' }

/** The address `{{outcome_url}}` of payload templates. */
export const outcomeRoutes = [
  route({
    method: 'post',
    path: OUTCOMES_PATH,
    who: 'public',
    summary: 'Report what became of a lead',
    description:
      'The CRM behind a webhook posts here; `{{outcome_url}}` in a payload template is the address with its token. A body may name the address in `outcome_url` instead. The disposition changes, and `bad_phone`, `wrong_person` and `duplicate` ask for a return, by the rules of every return. The same outcome twice is one. An address that is forged, older than 90 days or has ended is a 404; more than 30 outcomes for one lead in a minute are a 429. See [Outcomes](/documentation/outcomes).',
    takes: 'short json or form',
    query: outcomeQuerySchema,
    body: outcomeReportSchema,
    readsBodyItself: true,
    answers: { 200: outcomeReceiptSchema },
    handle: async ({ context, body, query, sender }) => ({
      status: 200,
      json: await takeOutcome(context, { body, token: query.token, network: sender.name }),
      headers: HEADERS,
    }),
  }),
  route({
    method: 'get',
    path: OUTCOMES_PATH,
    who: 'public',
    summary: 'Return a page that says what the address is for',
    description: 'It changes nothing and does not look at the token.',
    query: outcomeQuerySchema,
    answers: { 200: null },
    handle: async () => ({ status: 200, text: PAGE, type: 'text/html', headers: HEADERS }),
  }),
]
