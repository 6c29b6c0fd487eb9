import clsx from 'clsx'
import { CircleCheck, CircleX } from 'lucide-react'
import type { EndpointTestResult } from '#core/contract/webhooks/delivery.ts'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'

export interface TestResultProps {
  result: EndpointTestResult
  /** the tested values in short, shown before the facts */
  tested?: string
  /** True if the tested values have changed since. */
  isOutdated?: boolean
  /** True if a mail server answered. */
  isMail?: boolean
}

export function TestResult({ result, tested, isOutdated = false, isMail = false }: TestResultProps) {
  const { success, message, error, response_status, duration_ms, response_body } = result
  const shown = message || (success ? 'Test successful' : 'Test failed')
  const facts = [
    tested,
    response_status === null ? undefined : `${isMail ? 'SMTP' : 'HTTP'} ${response_status}`,
    duration_ms === null ? undefined : `${duration_ms.toLocaleString('en-US')} ms`,
  ].filter((fact) => fact !== undefined)
  const Icon = success ? CircleCheck : CircleX
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div className="flex items-start gap-2.5 px-3 py-2.5 text-sm">
        <Icon
          aria-hidden
          className={clsx('mt-0.5 size-4 shrink-0', success ? 'text-success' : 'text-failure')}
        />
        <div className="min-w-0 flex-1">
          <p className={clsx('font-medium break-words', success ? 'text-success' : 'text-failure')}>
            {shown}
          </p>
          {error !== null && error !== '' && !shown.includes(error) && (
            <p className="mt-0.5 break-words text-muted">{error}</p>
          )}
          {facts.length > 0 && (
            <p className="mt-0.5 text-xs break-all text-muted tabular">{facts.join(' · ')}</p>
          )}
          {isOutdated && (
            <p className="mt-0.5 text-xs text-muted">
              This is the result of an earlier test: the form has changed since.
            </p>
          )}
        </div>
      </div>
      {response_body !== null && response_body !== '' && (
        <CodeBlock
          label="Response body"
          headed
          code={response_body}
          className="rounded-t-none border-x-0 border-b-0 [&_pre]:max-h-40"
        />
      )}
    </div>
  )
}
