import { useState, type ReactNode } from 'react'
import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { AttemptTiming } from './AttemptTiming.tsx'
import { describeNoRequest, describeNoResponse } from '../logs/describe-absence.ts'
import { HeaderList } from './HeaderList.tsx'
import { layOutBody } from './lay-out-body.ts'

type Part = 'response' | 'request' | 'headers' | 'timing'

const PARTS: readonly { value: Part; label: string }[] = [
  { value: 'response', label: 'Response' },
  { value: 'request', label: 'Request' },
  { value: 'headers', label: 'Headers' },
  { value: 'timing', label: 'Timing' },
]

export interface AttemptExchangeProps {
  attempt: DeliveryLogDetail
  /** The part that is shown at first. */
  first?: Part
}

export function AttemptExchange({ attempt, first = 'response' }: AttemptExchangeProps) {
  const [part, setPart] = useState(first)
  const { request, response, timing } = attempt
  const isMail = request !== null && isMailUrl(request.url)
  return (
    <Tabs label="The exchange" value={part} onValueChange={setPart} tabs={PARTS}>
      <TabPanel value="response">
        {response === null ? (
          <Absent>{describeNoResponse(attempt)}</Absent>
        ) : (
          <ResponseBody response={response} isBroken={BROKEN_OFF.has(attempt.error_class)} isMail={isMail} />
        )}
      </TabPanel>
      <TabPanel value="request">
        {request === null ? (
          <Absent>{describeNoRequest(attempt)}</Absent>
        ) : (
          <div className="flex flex-col gap-3">
            <CodeBlock
              label="Request URL"
              code={isMail ? request.url : `${request.method} ${request.url}`}
              className="[&_pre]:break-all"
            />
            <CodeBlock label="Request body" headed code={layOutBody(request.body)} />
          </div>
        )}
      </TabPanel>
      <TabPanel value="headers">
        {request === null ? (
          <Absent>{describeNoRequest(attempt)}</Absent>
        ) : (
          <div className="grid gap-6 lg:grid-cols-2">
            <HeaderList title="Response headers" headers={response?.headers} />
            <HeaderList title="Request headers" headers={request.headers} />
          </div>
        )}
      </TabPanel>
      <TabPanel value="timing">
        {timing === null ? (
          <Absent>Nothing has been measured yet.</Absent>
        ) : (
          <AttemptTiming timing={timing} remoteAddress={attempt.remote_address} />
        )}
      </TabPanel>
    </Tabs>
  )
}

/** With these errors, the beginning of an answer may have arrived. */
const BROKEN_OFF: ReadonlySet<string | null> = new Set(['reset', 'timeout', 'too_large'])

function ResponseBody({
  response,
  isBroken,
  isMail,
}: {
  response: NonNullable<DeliveryLogDetail['response']>
  isBroken: boolean
  isMail: boolean
}) {
  const { status, body, body_truncated } = response
  return (
    <div className="flex flex-col gap-2">
      {body === '' ? (
        <Absent>
          {isBroken
            ? `The endpoint began an answer with ${status} that could not be read to its end.`
            : `The endpoint answered ${status} with an empty body.`}
        </Absent>
      ) : (
        <CodeBlock label={`${isMail ? 'SMTP' : 'HTTP'} ${status} body`} headed code={layOutBody(body)} />
      )}
      {isBroken && body !== '' && <p className="text-xs text-muted">The answer broke off here.</p>}
      {body_truncated && <p className="text-xs text-muted">Only the first 16 KiB of the body are kept.</p>}
    </div>
  )
}

function Absent({ children }: { children: ReactNode }) {
  return (
    <p className="rounded-lg border border-line bg-sunken px-4 py-8 text-center text-sm text-muted">
      {children}
    </p>
  )
}
