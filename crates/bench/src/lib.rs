//! Cases, capability sets, measuring, records, tables.
