//! Free parameters of a fit.

/// The value of a key of a core file.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The key.
    pub key: String,
    /// Its value before the fit.
    pub before: f64,
    /// The smallest difference that the model resolves: a whole number, or a tick.
    pub step: f64,
}

impl Value {
    /// The nearest value that the model resolves.
    pub fn round(&self, value: f64) -> f64 {
        (value / self.step).round() * self.step
    }
}

/// A free parameter: one key, or several that keep their ratios.
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    /// The keys; the parameter's value is that of the first.
    pub keys: Vec<Value>,
    /// Its value before the fit.
    pub start: f64,
    /// The least value that is allowed.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// The difference between two values that the model resolves.
    pub step: f64,
}

/// Differences are taken over at least this part of a value: over less, rounding to ticks would dominate.
const NEAR: f64 = 0.05;

impl Free {
    /// Greatest minus least value.
    pub fn range(&self) -> f64 {
        self.high - self.low
    }

    /// The nearest value that the model resolves and the bounds allow.
    pub fn round(&self, value: f64) -> f64 {
        ((value / self.step).round() * self.step).clamp(self.low, self.high)
    }

    /// Another value for a difference, on the side where there is room.
    pub fn near(&self, value: f64) -> f64 {
        let by = (value.abs() * NEAR / self.step).round().max(1.0) * self.step;
        if value + by <= self.high { value + by } else { value - by }
    }

    /// The values of all its keys.
    pub fn settings(&self, value: f64) -> impl Iterator<Item = (&str, f64)> {
        let factor = if self.start == 0.0 { 1.0 } else { value / self.start };
        let first = self.keys.iter().take(1).map(move |k| (k.key.as_str(), value));
        let others = self.keys.iter().skip(1);
        first.chain(others.map(move |k| (k.key.as_str(), k.round(k.before * factor))))
    }

    /// Its name in tables.
    pub fn name(&self) -> String {
        self.keys.iter().map(|k| k.key.as_str()).collect::<Vec<_>>().join(" + ")
    }
}
