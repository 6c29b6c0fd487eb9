import { Banner } from '#web/ui/show/Banner.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'
import type { SentTestLead } from './send-test-lead.ts'

const TITLES: Readonly<Record<number, string>> = {
  200: 'Duplicate: it was sent before',
  201: 'Accepted as a test',
  404: 'This link is not valid any more',
  422: 'Rejected: correct the fields and send it again',
  429: 'Too many test leads: wait a moment',
}

/** Shows the answer that a source would get. */
export function TestLeadAnswer({ answer: { status, json } }: { answer: SentTestLead }) {
  return (
    <div className="flex flex-col gap-2">
      <Banner
        tone={status < 300 ? 'success' : 'failure'}
        title={`${status} · ${TITLES[status] ?? 'Refused'}`}
      />
      <CodeBlock label="Answer" headed code={JSON.stringify(json, null, 2)} />
    </div>
  )
}
