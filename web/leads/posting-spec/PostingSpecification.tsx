import { FlaskConical } from 'lucide-react'
import type { PostingSpec } from '#core/contract/leads/posting-spec.ts'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { SpecAnswers } from './SpecAnswers.tsx'
import { SpecExamples } from './SpecExamples.tsx'
import { SpecFields } from './SpecFields.tsx'
import { TestLeadForm } from './TestLeadForm.tsx'

const SECTIONS = [
  ['endpoint', 'Where to post'],
  ['examples', 'Examples'],
  ['test', 'Send a test lead'],
  ['fields', 'Fields'],
  ['answers', 'Answers'],
] as const

export function PostingSpecification({ spec, token }: { spec: PostingSpec; token: string }) {
  return (
    <>
      <PageHeader
        title={`Posting specification: ${spec.source}`}
        description={
          <>
            How to post leads of this source. This link ends <RelativeTime at={spec.expires_at} />. It
            contains no key.
          </>
        }
      />
      <nav aria-label="On this page" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {SECTIONS.map(([id, title]) => (
          <a key={id} href={`#${id}`} className="min-w-6 rounded-sm py-0.5 text-accent hover:underline">
            {title}
          </a>
        ))}
      </nav>
      {spec.test_mode && (
        <Banner tone="waiting" title="This source is in test mode">
          Until it is switched to live, every lead that it posts is a test and is never sold.
        </Banner>
      )}
      <Card title={titleOf('endpoint')} id="endpoint">
        <Endpoint spec={spec} />
      </Card>
      <Card title={titleOf('examples')} id="examples">
        <SpecExamples spec={spec} />
      </Card>
      <Card
        title={titleOf('test')}
        id="test"
        actions={<Badge icon={<FlaskConical aria-hidden />}>Never sold</Badge>}
      >
        <TestLeadForm spec={spec} token={token} />
      </Card>
      <Card title={titleOf('fields')} id="fields" flush>
        <SpecFields fields={spec.fields} />
      </Card>
      <Card title={titleOf('answers')} id="answers" flush>
        <SpecAnswers answers={spec.answers} />
      </Card>
    </>
  )
}

function titleOf(id: (typeof SECTIONS)[number][0]) {
  return SECTIONS.find(([known]) => known === id)?.[1]
}

function Endpoint({ spec }: { spec: PostingSpec }) {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-3">
        <Badge tone="info">{spec.method}</Badge>
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{spec.url}</code>
        <CopyButton value={spec.url} label="Copy address" />
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm tight:grid-cols-1">
        {spec.headers.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="font-mono text-xs leading-5 text-muted">{name}</dt>
            <dd className="font-mono text-xs leading-5 break-all">{value}</dd>
          </div>
        ))}
      </dl>
      <ul className="flex max-w-prose list-disc flex-col gap-1 pl-5 text-sm text-muted">
        <li>You get your API key separately from this page. Keep it on your server, never in a browser.</li>
        <li>
          JSON or a form (application/x-www-form-urlencoded), in UTF-8. Names of fields are case-sensitive.
        </li>
        <li>
          Send an external_id or an Idempotency-Key header. A lead that is sent twice is then stored once, so
          you can repeat a request that got no answer.
        </li>
        <li>
          At most {spec.leads_per_minute.toLocaleString('en-US')} leads a minute. Up to{' '}
          {spec.batch.most.toLocaleString('en-US')} at a time go to{' '}
          <code className="font-mono text-xs break-all text-ink">{spec.batch.url}</code>
        </li>
      </ul>
    </div>
  )
}
