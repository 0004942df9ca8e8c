/** Printed by `npm run print`; do not edit. */

export type Invoice = {
  id: string;
  object: "invoice";
  number: string | null;
  series: {
    id: string;
    code: string;
  } | null;
  type: "F1" | "F2" | "F3" | "R1" | "R2" | "R3" | "R4" | "R5";
  status: "draft" | "issued" | "sent" | "paid" | "overdue" | "rectified" | "substituted" | "voided" | "annulled";
  client: {
    id: string;
    name: string;
    tax_id: string | null;
    address: Record<string, unknown> | null;
  } | null;
  description: string | null;
  issued_on: string | null;
  operation_on: string | null;
  due_on: string | null;
  currency: string;
  exchange_rate: number | null;
  exchange_rate_on: string | null;
  prices_include_tax: boolean;
  lines: ({
    object: "invoice_line";
    id: string;
    description: string;
    product: {
      id: string;
      name: string;
    } | null;
    quantity: number;
    unit: string | null;
    kind: "good" | "service" | null;
    unit_price: number;
    discount_percent: number | null;
    taxes_id: string | null;
    tax_kind: "vat" | "igic" | "ipsi" | "other";
    tax_name: string | null;
    tax_rate: number | null;
    retention_rate: number | null;
    surcharge_rate: number | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text: string | null;
    regime_key: string | null;
    variant: {
      id: string;
      name: string;
    } | null;
    presentation: {
      id: string;
      name: string;
      factor: number;
    } | null;
    options: ({
      group: {
        id: string;
        name: string;
      };
      value: {
        id: string;
        name: string;
      };
      price_delta: number;
    })[];
    linked_expenses: ({
      id: string;
      number: string;
    })[];
    original_pack_data: Record<string, unknown> | null;
    source: {
      object: string;
      id: string;
      number: string | null;
      operation_on: string | null;
      line_id: string;
    } | null;
    price_includes_tax: boolean;
    subtotal: number;
    taxes: number;
    total: number;
  })[];
  subtotal: number;
  discount_total: number;
  taxes_total: number;
  surcharge_total: number;
  retention_total: number;
  total: number;
  amount_due: number;
  paid_amount: number;
  pending_amount: number;
  tax_breakdown: ({
    tax_kind: "vat" | "igic" | "ipsi" | "other";
    regime_key: string | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    tax_rate: number | null;
    surcharge_rate: number | null;
    base: number;
    tax: number;
    surcharge: number;
  })[];
  payments: {
    total: number;
    detail: ({
      id: string;
      object: "payment";
      invoice_id: string;
      amount: number;
      payment_date: string;
      payment_method: "bank_transfer" | "direct_debit" | "card" | "cash" | "check" | "promissory_note" | "bizum" | "other";
      payment_method_text: string;
      reference: string | null;
      notes: string | null;
      external_id: string | null;
      metadata: Record<string, string>;
      is_reversed: boolean;
      reversed_at: string | null;
      reversal_reason: string | null;
      reversal_reason_text: string | null;
      reversal_note: string | null;
      created_at: string;
      updated_at: string;
    })[];
  };
  issued_by: "issuer" | "recipient" | "third_party";
  third_party: {
    name: string;
    tax_id: string;
  } | null;
  no_recipient_art61d: boolean;
  print_recipient: boolean;
  corrected_invoices: ({
    id: string | null;
    number: string;
    issued_on: string;
    subtotal: number | null;
    taxes_total: number | null;
    surcharge_total: number | null;
  })[];
  corrective_ids: (string)[];
  correction: {
    type: "differences" | "substitution";
    reason: string | null;
  } | null;
  substituted_invoices: ({
    id: string | null;
    number: string;
    issued_on: string;
    subtotal: number | null;
    taxes_total: number | null;
    surcharge_total: number | null;
  })[];
  substituted_by_id: string | null;
  sources: ({
    object: string;
    id: string;
    number: string | null;
  })[];
  notes: string | null;
  external_id: string | null;
  metadata: Record<string, string>;
  tags: (string)[];
  custom_fields: ({
    field: string;
    value: string;
  })[];
  verifactu: {
    status: "pending" | "sending" | "accepted" | "accepted_with_errors" | "rejected" | "kept" | "disabled";
    error_code: string | null;
    aeat_status: "Correcto" | "AceptadoConErrores" | "Incorrecto" | null;
    huella: string | null;
    qr_url: string | null;
    qr_png_base64: string | null;
    legend: string | null;
    csv: string | null;
  } | null;
  pdf?: {
    status: "ready" | "pending" | "failed";
    url: string | null;
    expires_at: string | null;
  };
  email?: {
    id: string;
    status: "queued" | "sent" | "failed" | "not_sent";
  };
  public_url: string | null;
  created_at: string;
  updated_at: string;
};

/** Of `create_invoice`. */
export type NewInvoice = {
  client_id?: string | null;
  series_id?: string | null;
  description?: string | null;
  issued_on?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  type?: "F1" | "F2" | "F3" | "R1" | "R2" | "R3" | "R4" | "R5";
  operation_on?: string | null;
  due_on?: string | null;
  exchange_rate?: number | null;
  exchange_rate_on?: string | null;
  issued_by?: "issuer" | "recipient" | "third_party";
  third_party?: {
    name: string;
    tax_id: string;
  } | null;
  no_recipient_art61d?: boolean;
  print_recipient?: boolean;
  lines: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    linked_expense_ids?: (string)[];
    options?: ({
      group_id?: string;
      value_id?: string;
    })[];
  })[];
  external_id?: string | null;
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
  correction?: {
    type: "differences" | "substitution";
    reason?: string | null;
  };
  corrected_invoices?: ({
    number: string;
    issued_on: string;
    subtotal?: number | null;
    taxes_total?: number | null;
    surcharge_total?: number | null;
  })[];
  substituted_invoices?: ({
    number: string;
    issued_on: string;
    subtotal?: number | null;
    taxes_total?: number | null;
    surcharge_total?: number | null;
  })[];
  payment?: {
    method: "bank_transfer" | "direct_debit" | "card" | "cash" | "check" | "promissory_note" | "bizum" | "other";
    paid_at?: string | null;
    reference?: string | null;
    notes?: string | null;
    metadata?: Record<string, string> | null;
  };
  options?: {
    issue?: boolean;
    dry_run?: boolean;
    register_verifactu?: boolean;
    wait_for_pdf?: boolean;
    send_automatically?: boolean;
    send_to?: string | null;
  };
};

/** Of `update_invoice`. */
export type ChangedInvoice = {
  client_id?: string | null;
  series_id?: string | null;
  description?: string | null;
  issued_on?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  type?: "F1" | "F2" | "F3" | "R1" | "R2" | "R3" | "R4" | "R5";
  operation_on?: string | null;
  due_on?: string | null;
  exchange_rate?: number | null;
  exchange_rate_on?: string | null;
  issued_by?: "issuer" | "recipient" | "third_party";
  third_party?: {
    name: string;
    tax_id: string;
  } | null;
  no_recipient_art61d?: boolean;
  print_recipient?: boolean;
  lines?: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    linked_expense_ids?: (string)[];
    options?: ({
      group_id?: string;
      value_id?: string;
      group?: unknown;
      value?: unknown;
      price_delta?: unknown;
    })[];
    object?: unknown;
    product?: unknown;
    subtotal?: unknown;
    taxes?: unknown;
    total?: unknown;
    tax_name?: unknown;
    variant?: unknown;
    presentation?: unknown;
    linked_expenses?: unknown;
    original_pack_data?: unknown;
    source?: unknown;
    price_includes_tax?: unknown;
  })[];
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
  object?: unknown;
  id?: unknown;
  number?: unknown;
  series?: unknown;
  status?: unknown;
  client?: unknown;
  subtotal?: unknown;
  discount_total?: unknown;
  taxes_total?: unknown;
  surcharge_total?: unknown;
  retention_total?: unknown;
  total?: unknown;
  amount_due?: unknown;
  tax_breakdown?: unknown;
  external_id?: unknown;
  public_url?: unknown;
  created_at?: unknown;
  updated_at?: unknown;
  paid_amount?: unknown;
  pending_amount?: unknown;
  payments?: unknown;
  corrected_invoices?: unknown;
  corrective_ids?: unknown;
  correction?: unknown;
  substituted_invoices?: unknown;
  substituted_by_id?: unknown;
  sources?: unknown;
  verifactu?: unknown;
  pdf?: unknown;
  email?: unknown;
};

export type DeliveryNote = {
  id: string;
  object: "delivery_note";
  number: string | null;
  series: {
    id: string;
    code: string;
  } | null;
  status: "draft" | "pending" | "delivered" | "signed" | "cancelled" | "invoiced";
  client: {
    id: string;
    name: string;
    tax_id: string | null;
    address: Record<string, unknown> | null;
  } | null;
  description: string | null;
  issued_on: string | null;
  delivery_date: string | null;
  delivered_at: string | null;
  cancelled_at: string | null;
  signed_at: string | null;
  signed_by: string | null;
  signature_image_url: string | null;
  delivery_address: Record<string, unknown> | null;
  show_prices: boolean;
  vehicle_plate: string | null;
  driver: {
    name: string | null;
    tax_id: string | null;
  } | null;
  tracking: {
    number: string | null;
    carrier: string | null;
  } | null;
  received_by: {
    name: string | null;
    tax_id: string | null;
  } | null;
  billing_emails: (string)[];
  currency: string;
  prices_include_tax: boolean;
  lines: ({
    object: "delivery_note_line";
    id: string;
    description: string;
    product: {
      id: string;
      name: string;
    } | null;
    quantity: number;
    unit: string | null;
    kind: "good" | "service" | null;
    unit_price: number;
    discount_percent: number | null;
    taxes_id: string | null;
    tax_kind: "vat" | "igic" | "ipsi" | "other";
    tax_name: string | null;
    tax_rate: number | null;
    retention_rate: number | null;
    surcharge_rate: number | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text: string | null;
    regime_key: string | null;
    variant: {
      id: string;
      name: string;
    } | null;
    presentation: {
      id: string;
      name: string;
      factor: number;
    } | null;
    options: ({
      group: {
        id: string;
        name: string;
      };
      value: {
        id: string;
        name: string;
      };
      price_delta: number;
    })[];
    linked_expenses: ({
      id: string;
      number: string;
    })[];
    original_pack_data: Record<string, unknown> | null;
    source: {
      object: string;
      id: string;
      number: string | null;
      operation_on: string | null;
      line_id: string;
    } | null;
    price_includes_tax: boolean;
    subtotal: number;
    taxes: number;
    total: number;
  })[];
  subtotal: number;
  discount_total: number;
  taxes_total: number;
  surcharge_total: number;
  retention_total: number;
  total: number;
  amount_due: number;
  tax_breakdown: ({
    tax_kind: "vat" | "igic" | "ipsi" | "other";
    regime_key: string | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    tax_rate: number | null;
    surcharge_rate: number | null;
    base: number;
    tax: number;
    surcharge: number;
  })[];
  notes: string | null;
  external_id: string | null;
  converted_to_id: string | null;
  metadata: Record<string, string>;
  tags: (string)[];
  custom_fields: ({
    field: string;
    value: string;
  })[];
  pdf?: {
    status: "ready" | "pending" | "failed";
    url: string | null;
    expires_at: string | null;
  };
  email?: {
    id: string;
    status: "queued" | "sent" | "failed" | "not_sent";
  };
  public_url: string | null;
  created_at: string;
  updated_at: string;
};

/** Of `create_delivery_note`. */
export type NewDeliveryNote = {
  client_id?: string | null;
  series_id?: string | null;
  description?: string | null;
  issued_on?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  delivery_date?: string | null;
  delivery_address?: {
    line1?: string | null;
    line2?: string | null;
    number?: string | null;
    floor?: string | null;
    door?: string | null;
    staircase?: string | null;
    postal_code?: string | null;
    city?: string | null;
    province?: string | null;
    country?: string | null;
  } | null;
  show_prices?: boolean;
  vehicle_plate?: string | null;
  driver?: {
    name?: string | null;
    tax_id?: string | null;
  } | null;
  tracking?: {
    number?: string | null;
    carrier?: string | null;
  } | null;
  received_by?: {
    name?: string | null;
    tax_id?: string | null;
  } | null;
  billing_emails?: (string)[] | null;
  lines: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    linked_expense_ids?: (string)[];
    options?: ({
      group_id?: string;
      value_id?: string;
    })[];
  })[];
  external_id?: string | null;
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
  options?: {
    mark_pending?: boolean;
    dry_run?: boolean;
  };
};

/** Of `update_delivery_note`. */
export type ChangedDeliveryNote = {
  client_id?: string | null;
  series_id?: string | null;
  description?: string | null;
  issued_on?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  delivery_date?: string | null;
  delivery_address?: {
    line1?: string | null;
    line2?: string | null;
    number?: string | null;
    floor?: string | null;
    door?: string | null;
    staircase?: string | null;
    postal_code?: string | null;
    city?: string | null;
    province?: string | null;
    country?: string | null;
  } | null;
  show_prices?: boolean;
  vehicle_plate?: string | null;
  driver?: {
    name?: string | null;
    tax_id?: string | null;
  } | null;
  tracking?: {
    number?: string | null;
    carrier?: string | null;
  } | null;
  received_by?: {
    name?: string | null;
    tax_id?: string | null;
  } | null;
  billing_emails?: (string)[] | null;
  lines?: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    linked_expense_ids?: (string)[];
    options?: ({
      group_id?: string;
      value_id?: string;
      group?: unknown;
      value?: unknown;
      price_delta?: unknown;
    })[];
    object?: unknown;
    product?: unknown;
    subtotal?: unknown;
    taxes?: unknown;
    total?: unknown;
    tax_name?: unknown;
    variant?: unknown;
    presentation?: unknown;
    linked_expenses?: unknown;
    original_pack_data?: unknown;
    source?: unknown;
    price_includes_tax?: unknown;
  })[];
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
  object?: unknown;
  id?: unknown;
  number?: unknown;
  series?: unknown;
  status?: unknown;
  client?: unknown;
  subtotal?: unknown;
  discount_total?: unknown;
  taxes_total?: unknown;
  surcharge_total?: unknown;
  retention_total?: unknown;
  total?: unknown;
  amount_due?: unknown;
  tax_breakdown?: unknown;
  external_id?: unknown;
  public_url?: unknown;
  created_at?: unknown;
  updated_at?: unknown;
  delivered_at?: unknown;
  cancelled_at?: unknown;
  signed_at?: unknown;
  signed_by?: unknown;
  signature_image_url?: unknown;
  converted_to_id?: unknown;
  pdf?: unknown;
  email?: unknown;
};

export type Proforma = {
  id: string;
  object: "proforma";
  number: string | null;
  series: {
    id: string;
    code: string;
  } | null;
  status: "draft" | "pending" | "accepted" | "rejected" | "expired" | "cancelled" | "converted";
  version: number;
  acceptance: {
    accepted_at: string;
    name: string | null;
    tax_id: string | null;
    note: string | null;
    channel: "public_page" | "api";
    version: number;
  } | null;
  rejection: {
    rejected_at: string;
    reason: string | null;
    channel: "public_page" | "api";
  } | null;
  converted_to: {
    object: string;
    id: string;
  } | null;
  converted_to_id: string | null;
  client: {
    id: string;
    name: string;
    tax_id: string | null;
    address: Record<string, unknown> | null;
  } | null;
  description: string | null;
  issued_on: string | null;
  valid_until: string | null;
  currency: string;
  prices_include_tax: boolean;
  lines: ({
    object: "proforma_line";
    id: string;
    description: string;
    product: {
      id: string;
      name: string;
    } | null;
    quantity: number;
    unit: string | null;
    kind: "good" | "service" | null;
    unit_price: number;
    discount_percent: number | null;
    taxes_id: string | null;
    tax_kind: "vat" | "igic" | "ipsi" | "other";
    tax_name: string | null;
    tax_rate: number | null;
    retention_rate: number | null;
    surcharge_rate: number | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text: string | null;
    regime_key: string | null;
    variant: {
      id: string;
      name: string;
    } | null;
    presentation: {
      id: string;
      name: string;
      factor: number;
    } | null;
    options: ({
      group: {
        id: string;
        name: string;
      };
      value: {
        id: string;
        name: string;
      };
      price_delta: number;
    })[];
    linked_expenses: ({
      id: string;
      number: string;
    })[];
    original_pack_data: Record<string, unknown> | null;
    source: {
      object: string;
      id: string;
      number: string | null;
      operation_on: string | null;
      line_id: string;
    } | null;
    price_includes_tax: boolean;
    subtotal: number;
    taxes: number;
    total: number;
  })[];
  subtotal: number;
  discount_total: number;
  taxes_total: number;
  surcharge_total: number;
  retention_total: number;
  total: number;
  amount_due: number;
  shipping_cost: number | null;
  shipping_taxes_id: string | null;
  shipping_tax_rate: number | null;
  tax_breakdown: ({
    tax_kind: "vat" | "igic" | "ipsi" | "other";
    regime_key: string | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    tax_rate: number | null;
    surcharge_rate: number | null;
    base: number;
    tax: number;
    surcharge: number;
  })[];
  notes: string | null;
  external_id: string | null;
  metadata: Record<string, string>;
  tags: (string)[];
  custom_fields: ({
    field: string;
    value: string;
  })[];
  pdf?: {
    status: "ready" | "pending" | "failed";
    url: string | null;
    expires_at: string | null;
  };
  email?: {
    id: string;
    status: "queued" | "sent" | "failed" | "not_sent";
  };
  public_url: string | null;
  created_at: string;
  updated_at: string;
};

/** Of `create_proforma`. */
export type NewProforma = {
  client_id?: string | null;
  series_id?: string | null;
  description?: string | null;
  issued_on?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  valid_until?: string | null;
  shipping_cost?: number | null;
  shipping_taxes_id?: string | null;
  shipping_tax_rate?: number | null;
  lines: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    linked_expense_ids?: (string)[];
    options?: ({
      group_id?: string;
      value_id?: string;
    })[];
  })[];
  external_id?: string | null;
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
  options?: {
    mark_pending?: boolean;
    dry_run?: boolean;
  };
};

/** Of `update_proforma`. */
export type ChangedProforma = {
  client_id?: string | null;
  series_id?: string | null;
  description?: string | null;
  issued_on?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  valid_until?: string | null;
  shipping_cost?: number | null;
  shipping_taxes_id?: string | null;
  shipping_tax_rate?: number | null;
  lines?: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    linked_expense_ids?: (string)[];
    options?: ({
      group_id?: string;
      value_id?: string;
      group?: unknown;
      value?: unknown;
      price_delta?: unknown;
    })[];
    object?: unknown;
    product?: unknown;
    subtotal?: unknown;
    taxes?: unknown;
    total?: unknown;
    tax_name?: unknown;
    variant?: unknown;
    presentation?: unknown;
    linked_expenses?: unknown;
    original_pack_data?: unknown;
    source?: unknown;
    price_includes_tax?: unknown;
  })[];
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
  object?: unknown;
  id?: unknown;
  number?: unknown;
  series?: unknown;
  status?: unknown;
  client?: unknown;
  subtotal?: unknown;
  discount_total?: unknown;
  taxes_total?: unknown;
  surcharge_total?: unknown;
  retention_total?: unknown;
  total?: unknown;
  amount_due?: unknown;
  tax_breakdown?: unknown;
  external_id?: unknown;
  public_url?: unknown;
  created_at?: unknown;
  updated_at?: unknown;
  version?: unknown;
  acceptance?: unknown;
  rejection?: unknown;
  converted_to?: unknown;
  converted_to_id?: unknown;
  pdf?: unknown;
  email?: unknown;
};

export type Quote = {
  id: string;
  object: "quote";
  number: string | null;
  series: {
    id: string;
    code: string;
  } | null;
  status: "draft" | "pending" | "accepted" | "rejected" | "expired" | "cancelled" | "converted";
  version: number;
  acceptance: {
    accepted_at: string;
    name: string | null;
    tax_id: string | null;
    note: string | null;
    channel: "public_page" | "api";
    version: number;
  } | null;
  rejection: {
    rejected_at: string;
    reason: string | null;
    channel: "public_page" | "api";
  } | null;
  converted_to: {
    object: string;
    id: string;
  } | null;
  converted_to_id: string | null;
  client: {
    id: string;
    name: string;
    tax_id: string | null;
    address: Record<string, unknown> | null;
  } | null;
  description: string | null;
  issued_on: string | null;
  valid_until: string | null;
  currency: string;
  prices_include_tax: boolean;
  lines: ({
    object: "quote_line";
    id: string;
    description: string;
    product: {
      id: string;
      name: string;
    } | null;
    quantity: number;
    unit: string | null;
    kind: "good" | "service" | null;
    unit_price: number;
    discount_percent: number | null;
    taxes_id: string | null;
    tax_kind: "vat" | "igic" | "ipsi" | "other";
    tax_name: string | null;
    tax_rate: number | null;
    retention_rate: number | null;
    surcharge_rate: number | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text: string | null;
    regime_key: string | null;
    variant: {
      id: string;
      name: string;
    } | null;
    presentation: {
      id: string;
      name: string;
      factor: number;
    } | null;
    options: ({
      group: {
        id: string;
        name: string;
      };
      value: {
        id: string;
        name: string;
      };
      price_delta: number;
    })[];
    linked_expenses: ({
      id: string;
      number: string;
    })[];
    original_pack_data: Record<string, unknown> | null;
    source: {
      object: string;
      id: string;
      number: string | null;
      operation_on: string | null;
      line_id: string;
    } | null;
    price_includes_tax: boolean;
    subtotal: number;
    taxes: number;
    total: number;
  })[];
  subtotal: number;
  discount_total: number;
  taxes_total: number;
  surcharge_total: number;
  retention_total: number;
  total: number;
  amount_due: number;
  tax_breakdown: ({
    tax_kind: "vat" | "igic" | "ipsi" | "other";
    regime_key: string | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    tax_rate: number | null;
    surcharge_rate: number | null;
    base: number;
    tax: number;
    surcharge: number;
  })[];
  notes: string | null;
  external_id: string | null;
  metadata: Record<string, string>;
  tags: (string)[];
  custom_fields: ({
    field: string;
    value: string;
  })[];
  pdf?: {
    status: "ready" | "pending" | "failed";
    url: string | null;
    expires_at: string | null;
  };
  email?: {
    id: string;
    status: "queued" | "sent" | "failed" | "not_sent";
  };
  public_url: string | null;
  created_at: string;
  updated_at: string;
};

/** Of `create_quote`. */
export type NewQuote = {
  client_id?: string | null;
  series_id?: string | null;
  description?: string | null;
  issued_on?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  valid_until?: string | null;
  lines: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    linked_expense_ids?: (string)[];
    options?: ({
      group_id?: string;
      value_id?: string;
    })[];
  })[];
  external_id?: string | null;
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
  options?: {
    mark_pending?: boolean;
    dry_run?: boolean;
  };
};

/** Of `update_quote`. */
export type ChangedQuote = {
  client_id?: string | null;
  series_id?: string | null;
  description?: string | null;
  issued_on?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  valid_until?: string | null;
  lines?: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    linked_expense_ids?: (string)[];
    options?: ({
      group_id?: string;
      value_id?: string;
      group?: unknown;
      value?: unknown;
      price_delta?: unknown;
    })[];
    object?: unknown;
    product?: unknown;
    subtotal?: unknown;
    taxes?: unknown;
    total?: unknown;
    tax_name?: unknown;
    variant?: unknown;
    presentation?: unknown;
    linked_expenses?: unknown;
    original_pack_data?: unknown;
    source?: unknown;
    price_includes_tax?: unknown;
  })[];
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
  object?: unknown;
  id?: unknown;
  number?: unknown;
  series?: unknown;
  status?: unknown;
  client?: unknown;
  subtotal?: unknown;
  discount_total?: unknown;
  taxes_total?: unknown;
  surcharge_total?: unknown;
  retention_total?: unknown;
  total?: unknown;
  amount_due?: unknown;
  tax_breakdown?: unknown;
  external_id?: unknown;
  public_url?: unknown;
  created_at?: unknown;
  updated_at?: unknown;
  version?: unknown;
  acceptance?: unknown;
  rejection?: unknown;
  converted_to?: unknown;
  converted_to_id?: unknown;
  pdf?: unknown;
  email?: unknown;
};

export type RecurringInvoice = {
  id: string;
  object: "recurring_invoice";
  name: string;
  series: {
    id: string;
    code: string;
  } | null;
  type: "F1" | "F2";
  status: "active" | "paused" | "completed" | "cancelled";
  frequency: "daily" | "weekly" | "monthly" | "quarterly" | "yearly";
  interval: number;
  starts_on: string;
  ends_on: string | null;
  max_occurrences: number | null;
  next_occurrence_on: string | null;
  next_run_at: string | null;
  occurrences_count: number;
  last_run_at: string | null;
  last_invoice_id: string | null;
  last_error: {
    code: string;
    message: string;
    param: string | null;
    occurrence_on: string;
    at: string;
    attempts: number;
  } | null;
  auto_issue: boolean;
  auto_send: boolean;
  send_to: string | null;
  payment_terms_days: number | null;
  client: {
    id: string;
    name: string;
    tax_id: string | null;
    address: Record<string, unknown> | null;
  } | null;
  description: string | null;
  currency: string;
  prices_include_tax: boolean;
  lines: ({
    object: "recurring_invoice_line";
    id: string;
    description: string;
    product: {
      id: string;
      name: string;
    } | null;
    quantity: number;
    unit: string | null;
    kind: "good" | "service" | null;
    unit_price: number;
    discount_percent: number | null;
    taxes_id: string | null;
    tax_kind: "vat" | "igic" | "ipsi" | "other";
    tax_name: string | null;
    tax_rate: number | null;
    retention_rate: number | null;
    surcharge_rate: number | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text: string | null;
    regime_key: string | null;
    variant: {
      id: string;
      name: string;
    } | null;
    presentation: {
      id: string;
      name: string;
      factor: number;
    } | null;
    options: ({
      group: {
        id: string;
        name: string;
      };
      value: {
        id: string;
        name: string;
      };
      price_delta: number;
    })[];
    linked_expenses: ({
      id: string;
      number: string;
    })[];
    original_pack_data: Record<string, unknown> | null;
    source: {
      object: string;
      id: string;
      number: string | null;
      operation_on: string | null;
      line_id: string;
    } | null;
    price_includes_tax: boolean;
    subtotal: number;
    taxes: number;
    total: number;
  })[];
  subtotal: number;
  discount_total: number;
  taxes_total: number;
  surcharge_total: number;
  retention_total: number;
  total: number;
  amount_due: number;
  tax_breakdown: ({
    tax_kind: "vat" | "igic" | "ipsi" | "other";
    regime_key: string | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    tax_rate: number | null;
    surcharge_rate: number | null;
    base: number;
    tax: number;
    surcharge: number;
  })[];
  notes: string | null;
  external_id: string | null;
  metadata: Record<string, string>;
  tags: (string)[];
  custom_fields: ({
    field: string;
    value: string;
  })[];
  created_at: string;
  updated_at: string;
};

/** Of `create_recurring_invoice`. */
export type NewRecurringInvoice = {
  client_id?: string | null;
  series_id?: string | null;
  description?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  name: string;
  type?: "F1" | "F2";
  frequency: "daily" | "weekly" | "monthly" | "quarterly" | "yearly";
  interval?: number;
  starts_on: string;
  ends_on?: string | null;
  max_occurrences?: number | null;
  auto_issue?: boolean;
  auto_send?: boolean;
  send_to?: string | null;
  payment_terms_days?: number | null;
  status?: "active" | "paused";
  lines: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    linked_expense_ids?: (string)[];
    options?: ({
      group_id?: string;
      value_id?: string;
    })[];
  })[];
  external_id?: string | null;
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
};

/** Of `update_recurring_invoice`. */
export type ChangedRecurringInvoice = {
  client_id?: string | null;
  series_id?: string | null;
  description?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  name?: string;
  type?: "F1" | "F2";
  frequency?: "daily" | "weekly" | "monthly" | "quarterly" | "yearly";
  interval?: number;
  starts_on?: string;
  ends_on?: string | null;
  max_occurrences?: number | null;
  auto_issue?: boolean;
  auto_send?: boolean;
  send_to?: string | null;
  payment_terms_days?: number | null;
  lines?: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    linked_expense_ids?: (string)[];
    options?: ({
      group_id?: string;
      value_id?: string;
      group?: unknown;
      value?: unknown;
      price_delta?: unknown;
    })[];
    object?: unknown;
    product?: unknown;
    subtotal?: unknown;
    taxes?: unknown;
    total?: unknown;
    tax_name?: unknown;
    variant?: unknown;
    presentation?: unknown;
    linked_expenses?: unknown;
    original_pack_data?: unknown;
    source?: unknown;
    price_includes_tax?: unknown;
  })[];
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
  object?: unknown;
  id?: unknown;
  series?: unknown;
  status?: unknown;
  client?: unknown;
  subtotal?: unknown;
  discount_total?: unknown;
  taxes_total?: unknown;
  surcharge_total?: unknown;
  retention_total?: unknown;
  total?: unknown;
  amount_due?: unknown;
  tax_breakdown?: unknown;
  external_id?: unknown;
  created_at?: unknown;
  updated_at?: unknown;
  next_occurrence_on?: unknown;
  next_run_at?: unknown;
  occurrences_count?: unknown;
  last_run_at?: unknown;
  last_invoice_id?: unknown;
  last_error?: unknown;
};

export type PurchaseInvoice = {
  id: string;
  object: "purchase_invoice";
  number: string | null;
  reception_number: string | null;
  series: {
    id: string;
    code: string;
  } | null;
  kind: "invoice" | "simplified" | "corrective" | "customs" | "agricultural_receipt";
  operation: "domestic" | "reverse_charge" | "intra_community_goods" | "intra_community_services" | "non_eu_services" | "import";
  supplier: {
    id: string;
    name: string;
    tax_id: string | null;
    vat_id: string | null;
    address: Record<string, unknown> | null;
  } | null;
  status: "draft" | "received" | "accounted" | "paid" | "cancelled";
  description: string | null;
  issued_on: string | null;
  operation_on: string | null;
  received_on: string | null;
  due_on: string | null;
  deduct_on: string | null;
  currency: string;
  exchange_rate: number | null;
  prices_include_tax: boolean;
  lines: ({
    object: "purchase_invoice_line";
    id: string;
    description: string;
    product: {
      id: string;
      name: string;
    } | null;
    quantity: number;
    unit: string | null;
    kind: "good" | "service" | null;
    unit_price: number;
    discount_percent: number | null;
    taxes_id: string | null;
    tax_kind: "vat" | "igic" | "ipsi" | "other" | "foreign_vat" | "compensation";
    tax_name: string | null;
    tax_rate: number | null;
    retention_rate: number | null;
    surcharge_rate: number | null;
    qualification: "S1" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text: string | null;
    regime_key: string | null;
    variant: {
      id: string;
      name: string;
    } | null;
    presentation: {
      id: string;
      name: string;
      factor: number;
    } | null;
    options: ({
      group: {
        id: string;
        name: string;
      };
      value: {
        id: string;
        name: string;
      };
      price_delta: number;
    })[];
    linked_expenses: ({
      id: string;
      number: string;
    })[];
    original_pack_data: Record<string, unknown> | null;
    source: {
      object: string;
      id: string;
      number: string | null;
      operation_on: string | null;
      line_id: string;
    } | null;
    price_includes_tax: boolean;
    subtotal: number;
    taxes: number;
    total: number;
    deductible_percent: number;
    non_deductible_reason: string | null;
    is_investment_good: boolean;
    prorata_use: "with_right" | "without_right" | "common" | null;
    expense_account: string | null;
    self_charged: number;
    deductible: number;
  })[];
  subtotal: number;
  discount_total: number;
  taxes_total: number;
  surcharge_total: number;
  retention_total: number;
  total: number;
  amount_due: number;
  paid_amount: number;
  pending_amount: number;
  self_charged_total: number;
  deductible_total: number;
  retention_kind: "professional" | "rent" | "agricultural" | "director" | "other" | null;
  tax_breakdown: ({
    tax_kind: "vat" | "igic" | "ipsi" | "other" | "foreign_vat" | "compensation";
    regime_key: string | null;
    qualification: "S1" | "S2" | "N1" | "N2" | null;
    exemption_reason: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    tax_rate: number | null;
    surcharge_rate: number | null;
    base: number;
    tax: number;
    surcharge: number;
    self_charged: number;
    deductible: number;
  })[];
  payments: {
    total: number;
    detail: ({
      id: string;
      object: "payment";
      purchase_invoice_id: string;
      amount: number;
      settled_amount: number | null;
      payment_date: string;
      payment_method: "bank_transfer" | "direct_debit" | "card" | "cash" | "check" | "promissory_note" | "bizum" | "other";
      payment_method_text: string;
      reference: string | null;
      notes: string | null;
      external_id: string | null;
      metadata: Record<string, string>;
      is_reversed: boolean;
      reversed_at: string | null;
      reversal_reason: string | null;
      reversal_reason_text: string | null;
      reversal_note: string | null;
      created_at: string;
      updated_at: string;
    })[];
  };
  has_recipient_data: boolean;
  cash_accounting: boolean;
  corrects: {
    purchase_invoice_id: string | null;
    number: string;
    issued_on: string | null;
  } | null;
  scan_ids: (string)[];
  accounted_at: string | null;
  cancelled_at: string | null;
  notes: string | null;
  external_id: string | null;
  metadata: Record<string, string>;
  tags: (string)[];
  custom_fields: ({
    field: string;
    value: string;
  })[];
  created_at: string;
  updated_at: string;
};

/** Of `create_purchase_invoice`. */
export type NewPurchaseInvoice = {
  series_id?: string | null;
  description?: string | null;
  issued_on?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  supplier_id?: string | null;
  number?: string | null;
  kind?: "invoice" | "simplified" | "corrective" | "customs" | "agricultural_receipt";
  operation?: "domestic" | "reverse_charge" | "intra_community_goods" | "intra_community_services" | "non_eu_services" | "import";
  operation_on?: string | null;
  received_on?: string | null;
  due_on?: string | null;
  deduct_on?: string | null;
  exchange_rate?: number | null;
  retention_kind?: "professional" | "rent" | "agricultural" | "director" | "other" | null;
  has_recipient_data?: boolean;
  cash_accounting?: boolean;
  corrects?: {
    purchase_invoice_id?: string | null;
    number: string;
    issued_on?: string | null;
  } | null;
  scan_ids?: (string)[] | null;
  tax_breakdown?: ({
    tax_kind?: "vat" | "igic" | "ipsi" | "other" | "foreign_vat" | "compensation";
    tax_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: string | null;
    exemption_reason?: string | null;
    regime_key?: string | null;
    base?: number;
    tax: number;
    surcharge?: unknown;
    self_charged?: unknown;
    deductible?: unknown;
  })[] | null;
  expected_total?: number | null;
  draft?: boolean;
  lines: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other" | "foreign_vat" | "compensation";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    options?: ({
      group_id?: string;
      value_id?: string;
    })[];
    deductible_percent?: number | null;
    non_deductible_reason?: string | null;
    is_investment_good?: boolean;
    prorata_use?: "with_right" | "without_right" | "common" | null;
    expense_account?: string | null;
  })[];
  external_id?: string | null;
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
};

/** Of `update_purchase_invoice`. */
export type ChangedPurchaseInvoice = {
  series_id?: string | null;
  description?: string | null;
  issued_on?: string | null;
  currency?: string;
  prices_include_tax?: boolean;
  notes?: string | null;
  supplier_id?: string | null;
  number?: string | null;
  kind?: "invoice" | "simplified" | "corrective" | "customs" | "agricultural_receipt";
  operation?: "domestic" | "reverse_charge" | "intra_community_goods" | "intra_community_services" | "non_eu_services" | "import";
  operation_on?: string | null;
  received_on?: string | null;
  due_on?: string | null;
  deduct_on?: string | null;
  exchange_rate?: number | null;
  retention_kind?: "professional" | "rent" | "agricultural" | "director" | "other" | null;
  has_recipient_data?: boolean;
  cash_accounting?: boolean;
  corrects?: {
    purchase_invoice_id?: string | null;
    number: string;
    issued_on?: string | null;
  } | null;
  scan_ids?: (string)[] | null;
  tax_breakdown?: ({
    tax_kind?: "vat" | "igic" | "ipsi" | "other" | "foreign_vat" | "compensation";
    tax_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: string | null;
    exemption_reason?: string | null;
    regime_key?: string | null;
    base?: number;
    tax: number;
    surcharge?: unknown;
    self_charged?: unknown;
    deductible?: unknown;
  })[] | null;
  expected_total?: number | null;
  lines?: ({
    id?: string;
    description?: string;
    product_id?: string | null;
    quantity?: number;
    unit?: string | null;
    kind?: "good" | "service" | null;
    unit_price?: number;
    discount_percent?: number | null;
    taxes_id?: string | null;
    tax_kind?: "vat" | "igic" | "ipsi" | "other" | "foreign_vat" | "compensation";
    tax_rate?: number | null;
    retention_rate?: number | null;
    surcharge_rate?: number | null;
    qualification?: "S1" | "N1" | "N2" | null;
    exemption_reason?: "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | null;
    exemption_reason_text?: string | null;
    regime_key?: string | null;
    variant_id?: string | null;
    presentation_id?: string | null;
    options?: ({
      group_id?: string;
      value_id?: string;
      group?: unknown;
      value?: unknown;
      price_delta?: unknown;
    })[];
    object?: unknown;
    product?: unknown;
    subtotal?: unknown;
    taxes?: unknown;
    total?: unknown;
    tax_name?: unknown;
    variant?: unknown;
    presentation?: unknown;
    linked_expenses?: unknown;
    original_pack_data?: unknown;
    source?: unknown;
    price_includes_tax?: unknown;
    deductible_percent?: number | null;
    non_deductible_reason?: string | null;
    is_investment_good?: boolean;
    prorata_use?: "with_right" | "without_right" | "common" | null;
    expense_account?: string | null;
    self_charged?: unknown;
    deductible?: unknown;
  })[];
  metadata?: Record<string, string> | null;
  tags?: (string)[] | null;
  custom_fields?: ({
    field: string;
    value: string;
  })[] | null;
  object?: unknown;
  id?: unknown;
  series?: unknown;
  status?: unknown;
  subtotal?: unknown;
  discount_total?: unknown;
  taxes_total?: unknown;
  surcharge_total?: unknown;
  retention_total?: unknown;
  total?: unknown;
  amount_due?: unknown;
  external_id?: unknown;
  created_at?: unknown;
  updated_at?: unknown;
  reception_number?: unknown;
  supplier?: unknown;
  paid_amount?: unknown;
  pending_amount?: unknown;
  self_charged_total?: unknown;
  deductible_total?: unknown;
  payments?: unknown;
  accounted_at?: unknown;
  cancelled_at?: unknown;
};

export type Client = {
  id: string;
  object: "client";
  name: string;
  business_name: string | null;
  commercial_name: string | null;
  tax_id: string | null;
  vat_id: string | null;
  email: string | null;
  phone: string | null;
  fax: string | null;
  mobile: string | null;
  website: string | null;
  contact_person: string | null;
  billing_emails: (string)[];
  address: {
    line1?: string | null;
    line2?: string | null;
    number?: string | null;
    floor?: string | null;
    door?: string | null;
    staircase?: string | null;
    postal_code?: string | null;
    city?: string | null;
    province?: string | null;
    country?: string | null;
  } | null;
  coordinates: {
    latitude: number;
    longitude: number;
  } | null;
  iban: string | null;
  bank_accounts: ({
    object: "bank_account";
    iban: string;
    bic: string | null;
    is_default: boolean;
  })[];
  default_taxes_id: string | null;
  default_discount: number | null;
  default_vat_rate: number | null;
  default_retention_rate: number | null;
  is_private_person: boolean;
  is_surcharge_subject: boolean;
  preferred_operation_regime: "general" | "surcharge" | "intra_community" | "export" | "exempt" | "reverse_charge" | null;
  accumulate_347: boolean;
  alternative_id: {
    object?: "alternative_id";
    type: "tax_id_foreign" | "passport" | "official_id" | "residence_certificate" | "other" | "vat_id";
    value: string;
    country_code?: string | null;
  } | null;
  payment_preferences: {
    object?: "payment_preferences";
    method: "bank_transfer" | "direct_debit" | "card" | "cash" | "check" | "promissory_note" | "other";
    terms_days?: number | null;
  } | null;
  external_id: string | null;
  price_list_id: string | null;
  notes: string | null;
  metadata: Record<string, string>;
  is_active: boolean;
  roles: ("client" | "supplier")[];
  created_at: string;
  updated_at: string;
};

/** Of `create_client`. */
export type NewClient = {
  name?: string;
  business_name?: string | null;
  commercial_name?: string | null;
  tax_id?: string | null;
  vat_id?: string | null;
  email?: string | null;
  phone?: string | null;
  fax?: string | null;
  mobile?: string | null;
  website?: string | null;
  contact_person?: string | null;
  billing_emails?: (string)[] | null;
  address?: {
    line1?: string | null;
    line2?: string | null;
    number?: string | null;
    floor?: string | null;
    door?: string | null;
    staircase?: string | null;
    postal_code?: string | null;
    city?: string | null;
    province?: string | null;
    country?: string | null;
  } | null;
  coordinates?: {
    latitude: number;
    longitude: number;
  } | null;
  iban?: string | null;
  bank_accounts?: ({
    object?: "bank_account";
    iban: string;
    bic?: string | null;
    is_default?: boolean;
  })[] | null;
  default_taxes_id?: string | null;
  default_discount?: number | null;
  default_vat_rate?: number | null;
  default_retention_rate?: number | null;
  is_private_person?: boolean | null;
  is_surcharge_subject?: boolean | null;
  preferred_operation_regime?: "general" | "surcharge" | "intra_community" | "export" | "exempt" | "reverse_charge" | null;
  accumulate_347?: boolean | null;
  alternative_id?: {
    object?: "alternative_id";
    type: "tax_id_foreign" | "passport" | "official_id" | "residence_certificate" | "other" | "vat_id";
    value: string;
    country_code?: string | null;
  } | null;
  payment_preferences?: {
    object?: "payment_preferences";
    method: "bank_transfer" | "direct_debit" | "card" | "cash" | "check" | "promissory_note" | "other";
    terms_days?: number | null;
  } | null;
  external_id?: string | null;
  price_list_id?: string | null;
  notes?: string | null;
  metadata?: Record<string, string> | null;
  is_active?: boolean | null;
  contact_id?: string;
};

/** Of `update_client`. */
export type ChangedClient = {
  name?: string;
  business_name?: string | null;
  commercial_name?: string | null;
  tax_id?: string | null;
  vat_id?: string | null;
  email?: string | null;
  phone?: string | null;
  fax?: string | null;
  mobile?: string | null;
  website?: string | null;
  contact_person?: string | null;
  billing_emails?: (string)[] | null;
  address?: {
    line1?: string | null;
    line2?: string | null;
    number?: string | null;
    floor?: string | null;
    door?: string | null;
    staircase?: string | null;
    postal_code?: string | null;
    city?: string | null;
    province?: string | null;
    country?: string | null;
  } | null;
  coordinates?: {
    latitude: number;
    longitude: number;
  } | null;
  iban?: string | null;
  bank_accounts?: ({
    object?: "bank_account";
    iban: string;
    bic?: string | null;
    is_default?: boolean;
  })[] | null;
  default_taxes_id?: string | null;
  default_discount?: number | null;
  default_vat_rate?: number | null;
  default_retention_rate?: number | null;
  is_private_person?: boolean | null;
  is_surcharge_subject?: boolean | null;
  preferred_operation_regime?: "general" | "surcharge" | "intra_community" | "export" | "exempt" | "reverse_charge" | null;
  accumulate_347?: boolean | null;
  alternative_id?: {
    object?: "alternative_id";
    type: "tax_id_foreign" | "passport" | "official_id" | "residence_certificate" | "other" | "vat_id";
    value: string;
    country_code?: string | null;
  } | null;
  payment_preferences?: {
    object?: "payment_preferences";
    method: "bank_transfer" | "direct_debit" | "card" | "cash" | "check" | "promissory_note" | "other";
    terms_days?: number | null;
  } | null;
  external_id?: string | null;
  price_list_id?: string | null;
  notes?: string | null;
  metadata?: Record<string, string> | null;
  is_active?: boolean | null;
  id?: unknown;
  object?: unknown;
  roles?: unknown;
  created_at?: unknown;
  updated_at?: unknown;
};

export type Supplier = {
  id: string;
  object: "supplier";
  name: string;
  business_name: string | null;
  commercial_name: string | null;
  tax_id: string | null;
  vat_id: string | null;
  email: string | null;
  phone: string | null;
  fax: string | null;
  mobile: string | null;
  website: string | null;
  contact_person: string | null;
  billing_emails: (string)[];
  address: {
    line1?: string | null;
    line2?: string | null;
    number?: string | null;
    floor?: string | null;
    door?: string | null;
    staircase?: string | null;
    postal_code?: string | null;
    city?: string | null;
    province?: string | null;
    country?: string | null;
  } | null;
  coordinates: {
    latitude: number;
    longitude: number;
  } | null;
  iban: string | null;
  bank_accounts: ({
    object: "bank_account";
    iban: string;
    bic: string | null;
    is_default: boolean;
  })[];
  default_taxes_id: string | null;
  default_discount: number | null;
  default_vat_rate: number | null;
  default_retention_rate: number | null;
  is_private_person: boolean;
  is_surcharge_subject: boolean;
  preferred_operation_regime: "general" | "surcharge" | "intra_community" | "export" | "exempt" | "reverse_charge" | null;
  accumulate_347: boolean;
  alternative_id: {
    object?: "alternative_id";
    type: "tax_id_foreign" | "passport" | "official_id" | "residence_certificate" | "other" | "vat_id";
    value: string;
    country_code?: string | null;
  } | null;
  payment_preferences: {
    object?: "payment_preferences";
    method: "bank_transfer" | "direct_debit" | "card" | "cash" | "check" | "promissory_note" | "other";
    terms_days?: number | null;
  } | null;
  external_id: string | null;
  price_list_id: string | null;
  notes: string | null;
  metadata: Record<string, string>;
  is_active: boolean;
  roles: ("client" | "supplier")[];
  created_at: string;
  updated_at: string;
};

/** Of `create_supplier`. */
export type NewSupplier = {
  name?: string;
  business_name?: string | null;
  commercial_name?: string | null;
  tax_id?: string | null;
  vat_id?: string | null;
  email?: string | null;
  phone?: string | null;
  fax?: string | null;
  mobile?: string | null;
  website?: string | null;
  contact_person?: string | null;
  billing_emails?: (string)[] | null;
  address?: {
    line1?: string | null;
    line2?: string | null;
    number?: string | null;
    floor?: string | null;
    door?: string | null;
    staircase?: string | null;
    postal_code?: string | null;
    city?: string | null;
    province?: string | null;
    country?: string | null;
  } | null;
  coordinates?: {
    latitude: number;
    longitude: number;
  } | null;
  iban?: string | null;
  bank_accounts?: ({
    object?: "bank_account";
    iban: string;
    bic?: string | null;
    is_default?: boolean;
  })[] | null;
  default_taxes_id?: string | null;
  default_discount?: number | null;
  default_vat_rate?: number | null;
  default_retention_rate?: number | null;
  is_private_person?: boolean | null;
  is_surcharge_subject?: boolean | null;
  preferred_operation_regime?: "general" | "surcharge" | "intra_community" | "export" | "exempt" | "reverse_charge" | null;
  accumulate_347?: boolean | null;
  alternative_id?: {
    object?: "alternative_id";
    type: "tax_id_foreign" | "passport" | "official_id" | "residence_certificate" | "other" | "vat_id";
    value: string;
    country_code?: string | null;
  } | null;
  payment_preferences?: {
    object?: "payment_preferences";
    method: "bank_transfer" | "direct_debit" | "card" | "cash" | "check" | "promissory_note" | "other";
    terms_days?: number | null;
  } | null;
  external_id?: string | null;
  price_list_id?: string | null;
  notes?: string | null;
  metadata?: Record<string, string> | null;
  is_active?: boolean | null;
  contact_id?: string;
};

/** Of `update_supplier`. */
export type ChangedSupplier = {
  name?: string;
  business_name?: string | null;
  commercial_name?: string | null;
  tax_id?: string | null;
  vat_id?: string | null;
  email?: string | null;
  phone?: string | null;
  fax?: string | null;
  mobile?: string | null;
  website?: string | null;
  contact_person?: string | null;
  billing_emails?: (string)[] | null;
  address?: {
    line1?: string | null;
    line2?: string | null;
    number?: string | null;
    floor?: string | null;
    door?: string | null;
    staircase?: string | null;
    postal_code?: string | null;
    city?: string | null;
    province?: string | null;
    country?: string | null;
  } | null;
  coordinates?: {
    latitude: number;
    longitude: number;
  } | null;
  iban?: string | null;
  bank_accounts?: ({
    object?: "bank_account";
    iban: string;
    bic?: string | null;
    is_default?: boolean;
  })[] | null;
  default_taxes_id?: string | null;
  default_discount?: number | null;
  default_vat_rate?: number | null;
  default_retention_rate?: number | null;
  is_private_person?: boolean | null;
  is_surcharge_subject?: boolean | null;
  preferred_operation_regime?: "general" | "surcharge" | "intra_community" | "export" | "exempt" | "reverse_charge" | null;
  accumulate_347?: boolean | null;
  alternative_id?: {
    object?: "alternative_id";
    type: "tax_id_foreign" | "passport" | "official_id" | "residence_certificate" | "other" | "vat_id";
    value: string;
    country_code?: string | null;
  } | null;
  payment_preferences?: {
    object?: "payment_preferences";
    method: "bank_transfer" | "direct_debit" | "card" | "cash" | "check" | "promissory_note" | "other";
    terms_days?: number | null;
  } | null;
  external_id?: string | null;
  price_list_id?: string | null;
  notes?: string | null;
  metadata?: Record<string, string> | null;
  is_active?: boolean | null;
  id?: unknown;
  object?: unknown;
  roles?: unknown;
  created_at?: unknown;
  updated_at?: unknown;
};

export type VerifactuStats = {
  object: "verifactu_stats";
  id: string;
  remission_mode: "verifactu" | "no_verifactu" | null;
  records_count: number;
  by_status: {
    pending: number;
    sending: number;
    accepted: number;
    accepted_with_errors: number;
    rejected: number;
    kept: number;
  };
  pending_incident_count: number;
  blocked_incident_count: number;
  rejected_open_count: number;
  oldest_pending_at: string | null;
  block_reason: string | null;
};
