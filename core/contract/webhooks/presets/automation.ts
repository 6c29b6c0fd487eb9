import { DEFAULT_PAYLOAD_TEMPLATE } from '../webhook-config.ts'
import { PLAIN, type Preset } from './preset.ts'

/** docs/product.md §3: the default template, for any endpoint. */
export const plain: Preset = {
  ...PLAIN,
  id: 'plain',
  name: 'Plain',
  note: 'The eight usual fields as JSON, for an endpoint of your own.',
  payload_template: { ...DEFAULT_PAYLOAD_TEMPLATE },
}

export const zapier: Preset = {
  ...PLAIN,
  id: 'zapier',
  name: 'Zapier',
  note: 'For a Catch Hook trigger. Zapier answers with success even while the Zap is off, so check its run history too. It accepts about 30 requests a second for each hook.',
  endpoint_example: 'https://hooks.zapier.com/hooks/catch/123456/abcdef/',
  payload_template: { ...DEFAULT_PAYLOAD_TEMPLATE },
}

export const make: Preset = {
  ...PLAIN,
  id: 'make',
  name: 'Make',
  note: 'For a custom webhook. Put the address that Make shows for it into Endpoint URL. Make queues each lead for the scenario, so its answer says that the lead came in, not that the scenario ran.',
  payload_template: { ...DEFAULT_PAYLOAD_TEMPLATE },
}

export const gohighlevel: Preset = {
  ...PLAIN,
  id: 'gohighlevel',
  name: 'GoHighLevel',
  note: 'For an inbound webhook trigger (a premium trigger). Map the fields in the workflow; a contact needs an email address or a phone.',
  endpoint_example: 'https://services.leadconnectorhq.com/hooks/…/webhook-trigger/…',
  payload_template: {
    first_name: '{{first_name}}',
    last_name: '{{last_name}}',
    email: '{{email}}',
    phone: '{{phone}}',
    state: '{{state}}',
    city: '{{city}}',
    source: '{{source}}',
    tags: '{{lead_type}}',
  },
}
