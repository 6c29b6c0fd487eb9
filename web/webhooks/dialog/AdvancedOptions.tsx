import { useFormContext, useWatch } from 'react-hook-form'
import { CustomHeaders } from './endpoint/CustomHeaders.tsx'
import { describeAdvanced } from './describe-options.ts'
import { EndpointTest } from './endpoint-test/EndpointTest.tsx'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { SwitchField } from './basics/SwitchField.tsx'
import { TemplateEditor } from './template/TemplateEditor.tsx'
import type { WebhookFormValues } from './webhook-form-values.ts'

/**
 * The five advanced options of docs/product.md §2, in its order; other options are in {@link MoreOptions}.
 */
export function AdvancedOptions({ configId }: { configId: string | null }) {
  const { errors } = useFormContext<WebhookFormValues>().formState
  const [trigger_on_lead_created, custom_headers, payload_template] = useWatch<
    WebhookFormValues,
    ['trigger_on_lead_created', 'custom_headers', 'payload_template']
  >({ name: ['trigger_on_lead_created', 'custom_headers', 'payload_template'] })
  return (
    <OptionGroup
      title="Advanced options"
      summary={describeAdvanced({ trigger_on_lead_created, custom_headers, payload_template })}
      hasFault={errors.custom_headers !== undefined || errors.payload_template !== undefined}
    >
      <div className="grid gap-x-6 gap-y-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <SwitchField
            name="trigger_on_lead_created"
            label="Trigger when lead is received"
            hint="Fires immediately on ingest, before assignment."
          />
          <CustomHeaders />
        </div>
        <EndpointTest configId={configId} />
        <TemplateEditor />
      </div>
    </OptionGroup>
  )
}
