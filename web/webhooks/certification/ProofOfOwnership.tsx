import type { Certification } from '#core/contract/webhooks/certification.ts'
import { Disclosure } from '#web/ui/action/Disclosure.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'

/** Says how an endpoint shows that it is the client's, so that nobody can have another's server certified. */
export function ProofOfOwnership({
  certification: { challenge, challenge_url: url },
  isOpen,
}: {
  certification: Certification
  isOpen: boolean
}) {
  return (
    <Disclosure title="How the endpoint shows that it is yours" defaultOpen={isOpen}>
      <div className="flex flex-col gap-3 text-sm">
        <p>
          The first request has the header <code className="font-mono text-xs">leadwire-challenge</code>.
          Answer 200 with its value, and nothing else. Or let the endpoint’s host serve this text at the
          address below.
        </p>
        <CodeBlock label="Address" headed code={url} />
        <CodeBlock label="Challenge" headed code={challenge} />
        <p className="text-muted">
          Without this proof, two requests are sent and no more. A new signing secret makes a new challenge.
          The{' '}
          <a
            className="text-accent-strong underline"
            href="/documentation/certification"
            target="_blank"
            rel="noreferrer"
          >
            documentation
          </a>{' '}
          has a receiver that passes.
        </p>
      </div>
    </Disclosure>
  )
}
