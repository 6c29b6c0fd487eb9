import { PLAIN, type Preset } from './preset.ts'

export const vanillasoft: Preset = {
  ...PLAIN,
  id: 'vanillasoft',
  name: 'VanillaSoft',
  note: 'The names are those in the mapping of your lead profile. New profiles also need a verification key of 12 characters: add it in the way the profile asks for it. VanillaSoft’s answer to a form says nothing about the lead, so success cannot be confirmed.',
  payload_type: 'FORM',
  endpoint_url: 'https://new.vanillasoft.net/post.aspx?id=<<WebLeadID>>',
  payload_template: {
    first_name: '{{first_name}}',
    last_name: '{{last_name}}',
    email: '{{email}}',
    phone: '{{phone}}',
    city: '{{city}}',
    state: '{{state}}',
    zip: '{{zip}}',
    source: '{{source}}',
  },
  constants: [
    { name: 'WebLeadID', label: 'Web lead id (WebLeadID)', hint: 'The id in your profile’s address.' },
  ],
}

export const convoso: Preset = {
  ...PLAIN,
  id: 'convoso',
  name: 'Convoso',
  note: 'Convoso also answers 200 to leads that it does not accept, so this preset reads its answer: success must be true.',
  payload_type: 'FORM',
  endpoint_url: 'https://api.convoso.com/v1/leads/insert',
  payload_template: {
    auth_token: '<<auth_token>>',
    list_id: '<<list_id>>',
    phone_code: '1',
    phone_number: '{{phone_10}}',
    first_name: '{{first_name}}',
    last_name: '{{last_name}}',
    email: '{{email}}',
    city: '{{city}}',
    state: '{{state}}',
    date_of_birth: '{{date_of_birth}}',
  },
  missing_values: 'omit',
  success_rule: { accepted: { path: 'success', equals: true } },
  capture_path: 'data.lead_id',
  constants: [
    { name: 'auth_token', label: 'Auth token (auth_token)' },
    { name: 'list_id', label: 'List id (list_id)' },
  ],
}

export const five9: Preset = {
  ...PLAIN,
  id: 'five9',
  name: 'Five9',
  note: 'Web2Campaign, AddToList. Take the address from your Five9 domain. Five9 answers errCode 0 when it accepted the lead. The exact form of its answer is not certain, so run a test and add a success rule that matches its answer.',
  payload_type: 'FORM',
  payload_template: {
    F9domain: '<<F9domain>>',
    F9list: '<<F9list>>',
    number1: '{{phone_10}}',
    first_name: '{{first_name}}',
    last_name: '{{last_name}}',
  },
  missing_values: 'omit',
  constants: [
    { name: 'F9domain', label: 'Domain (F9domain)' },
    { name: 'F9list', label: 'List (F9list)' },
  ],
}

export const ricochet360: Preset = {
  ...PLAIN,
  id: 'ricochet360',
  name: 'Ricochet360',
  note: 'You find vendor and token under Manage, Vendors. You may add any further keys. A lead that Ricochet360 already has counts as delivered, and the log says duplicate.',
  endpoint_url: 'https://leads.ricochet.me/api/v1/lead/create/<<vendor>>?token=<<token>>',
  payload_template: {
    firstName: '{{first_name}}',
    lastName: '{{last_name}}',
    phone: '{{phone}}',
    email: '{{email}}',
    city: '{{city}}',
    state: '{{state}}',
    zip: '{{zip}}',
  },
  success_rule: {
    accepted: { path: 'status', equals: true },
    duplicate: { path: 'message', equals: 'Duplicate' },
  },
  capture_path: 'lead_id',
  constants: [
    { name: 'vendor', label: 'Vendor' },
    { name: 'token', label: 'Token' },
  ],
}
