import type { PostingAnswer } from '#core/contract/leads/posting-spec.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'

/** Lists the possible answers, successful ones first. */
export function SpecAnswers({ answers }: { answers: readonly PostingAnswer[] }) {
  return (
    <ul aria-label="Answers" className="divide-y divide-line">
      {answers.map(({ status, when, body }) => (
        <li key={status} className="grid gap-x-6 gap-y-2 px-4 py-3 text-sm sm:grid-cols-[15rem_1fr]">
          <div className="flex min-w-0 flex-col items-start gap-1">
            <Badge tone={status < 300 ? 'success' : 'failure'}>{status}</Badge>
            <p>{when}</p>
          </div>
          <CodeBlock label={`Answer ${status}`} code={JSON.stringify(body, null, 2)} />
        </li>
      ))}
    </ul>
  )
}
