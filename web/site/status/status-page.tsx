import { OBJECTIVE } from '#core/contract/operations/service-status.ts'
import { SITE_PATHS } from '#core/contract/paths.ts'
import { TextLink } from '../parts/TextLink.tsx'
import type { SitePage } from '../site-page.ts'

/** How the promise was kept; the browser fills the figures in (web/site/client/islands/status.ts). */
export const statusPage: SitePage = {
  path: SITE_PATHS.status,
  title: 'Status',
  description: `${OBJECTIVE.percent} % of leads begin their way to your CRM within ${OBJECTIVE.seconds} seconds. How often that was kept, day by day, and incidents.`,
  islands: ['status'],
  render: () => (
    <div id="service-status" className="mx-auto max-w-[860px] px-4 pt-14 sm:px-6 sm:pt-20">
      <h1 className="text-xl font-semibold tracking-tight">Status</h1>
      <p className="mt-3 max-w-[60ch] text-lg text-pretty text-muted">
        We promise that {OBJECTIVE.percent} % of leads begin their first attempt at your webhook within{' '}
        {OBJECTIVE.seconds} seconds.
      </p>
      <p className="mt-2 max-w-[70ch] text-sm text-pretty text-muted">
        Counted is our part: from the receipt of a lead to its sale, and from there to the first attempt. Left
        out is time in which no order would take it, sending hours, pauses, endpoints that do not answer, and
        leads that came in bulk.{' '}
        <TextLink href={`${SITE_PATHS.documentation}/late-leads`}>What counts, and late leads</TextLink>
      </p>
      <p id="status-note" role="status" className="mt-8 text-sm text-muted">
        Loading the figures …
      </p>
      <noscript>
        <p className="mt-2 text-sm text-muted">
          The figures need JavaScript. Programs read them at{' '}
          <TextLink href="/api/v1/status">/api/v1/status</TextLink>.
        </p>
      </noscript>
      <dl id="status-month" hidden className="mt-2 grid gap-4 sm:grid-cols-2" />
      <section id="status-incidents" hidden aria-labelledby="status-incidents-title" className="mt-10">
        <h2 id="status-incidents-title" className="text-base font-semibold">
          Incidents of the last 90 days
        </h2>
        <div id="status-incident-list" className="mt-3 flex flex-col gap-4" />
      </section>
      <section id="status-days" hidden aria-labelledby="status-days-title" className="mt-10">
        <h2 id="status-days-title" className="text-base font-semibold">
          Day by day
        </h2>
        <table className="mt-3 w-full max-w-md text-sm">
          <caption className="sr-only">Leads whose first attempt began in time, by day</caption>
          <thead className="text-left text-muted">
            <tr>
              <th scope="col" className="py-1 font-normal">
                Day (New York)
              </th>
              <th scope="col" className="py-1 text-right font-normal">
                In time
              </th>
            </tr>
          </thead>
          <tbody id="status-day-rows" />
        </table>
        <p className="mt-3 text-xs text-muted">“Few” days had too few leads for a percentage.</p>
      </section>
    </div>
  ),
}
