import { useEffect } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Certification, CertificationRun } from '#core/contract/webhooks/certification.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { errorSentence } from '#web/api/errors.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Dialog, DialogClose } from '#web/ui/overlay/Dialog.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { certificationGradesQuery } from '../queries/certification-grades.ts'
import { certificationQuery, useCertify } from '../queries/certification.ts'
import { CertificationSteps } from './CertificationSteps.tsx'
import { describeProgress, describeRun } from './certification-words.ts'
import { ProofOfOwnership } from './ProofOfOwnership.tsx'

export interface CertifyDialogProps {
  open: boolean
  target: Pick<WebhookConfig, 'id' | 'webhook_name' | 'endpoint_url'>
  onClose: () => void
}

/** Certifies the endpoint of a webhook, and shows its cases as they end. */
export function CertifyDialog({ open, target, onClose }: CertifyDialogProps) {
  const certification = useQuery(certificationQuery(target.id))
  const certify = useCertify(target.id)
  const run = certification.data?.run ?? null
  const isOpenRun = run?.state === 'waiting' || run?.state === 'running'
  useFreshGrades(run)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title={`Certify “${target.webhook_name}”`}
      description="Sends about 70 test leads to the endpoint, and shows what it does with repeats, forgeries and bursts."
      size="lg"
      startAt="title"
      footer={
        <>
          <DialogClose>Close</DialogClose>
          <Button
            variant="primary"
            busy={certify.isPending || isOpenRun}
            disabled={certification.data === undefined}
            onClick={() => certify.mutate()}
          >
            {isOpenRun ? 'Certifying...' : run === null ? 'Certify endpoint' : 'Certify again'}
          </Button>
        </>
      }
    >
      {certification.isPending && (
        <div className="flex min-h-60 items-center justify-center">
          <Spinner label="Loading the certification" />
        </div>
      )}
      {certification.isLoadingError && (
        <LoadFailure
          title="The certification could not be loaded."
          error={certification.error}
          onRetry={() => void certification.refetch()}
        />
      )}
      {certification.data !== undefined && (
        <Content
          certification={certification.data}
          failure={certify.isError ? errorSentence(certify.error) : undefined}
        />
      )}
    </Dialog>
  )
}

/** A run that has ended may have changed the badge of its row. */
function useFreshGrades(run: CertificationRun | null) {
  const queryClient = useQueryClient()
  const finishedAt = run?.finished_at ?? null
  useEffect(() => {
    if (finishedAt !== null)
      void queryClient.invalidateQueries({ queryKey: certificationGradesQuery.queryKey })
  }, [queryClient, finishedAt])
}

function Content({ certification, failure }: { certification: Certification; failure: string | undefined }) {
  const { run } = certification
  return (
    <div className="flex flex-col gap-5">
      {failure !== undefined && (
        <Banner tone="failure" urgent title="No certification was begun">
          {failure}
        </Banner>
      )}
      {run !== null && <RunSummary run={run} />}
      {run !== null && run.steps.length > 0 && <CertificationSteps steps={run.steps} />}
      <ProofOfOwnership certification={certification} isOpen={run === null || run.stop === 'unproved'} />
    </div>
  )
}

function RunSummary({ run }: { run: CertificationRun }) {
  const said = describeRun(run)
  if (said === undefined)
    return (
      <p role="status" className="text-sm text-muted tabular">
        {describeProgress(run)}
      </p>
    )
  return (
    <Banner tone={said.tone} title={said.title}>
      {said.text !== undefined && <p>{said.text}</p>}
      {run.finished_at !== null && <RelativeTime at={run.finished_at} />}
    </Banner>
  )
}
