import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { RequestHeaders } from './RequestHeaders.tsx'
import { RotateSecret } from './RotateSecret.tsx'
import { SecretValue } from './SecretValue.tsx'
import { VerificationSamples } from './VerificationSamples.tsx'

/** Requests the secret only when the group is opened, and hides it until Reveal is pressed. */
export function SigningSecret({ configId }: { configId: string }) {
  return (
    <OptionGroup title="Signing secret" summary="Signs every request · how a receiver checks that">
      <div className="flex flex-col gap-5">
        <SecretValue configId={configId}>
          {(secret) => <RotateSecret configId={configId} previousExpiresAt={secret.previous_expires_at} />}
        </SecretValue>
        <RequestHeaders />
        <VerificationSamples />
      </div>
    </OptionGroup>
  )
}
