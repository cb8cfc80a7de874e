//! The inverse of a small symmetric matrix.

/// A pivot below this part of the largest element of its column counts as zero: the matrix is singular.
const SINGULAR: f64 = 1e-12;

/// The inverse of a positive definite matrix, by Gauss-Jordan elimination with pivots; `None` if it is singular.
pub fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let unit = |i: usize| (0..n).map(move |j| if i == j { 1.0 } else { 0.0 });
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .enumerate()
        .map(|(i, r)| r.iter().copied().chain(unit(i)).collect())
        .collect();
    let scale = matrix.iter().flatten().fold(0.0f64, |a, b| a.max(b.abs()));
    for column in 0..n {
        let pivot =
            (column..n).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        if rows[pivot][column].abs() <= scale * SINGULAR {
            return None;
        }
        rows.swap(column, pivot);
        let by = rows[column][column];
        rows[column].iter_mut().for_each(|v| *v /= by);
        let own = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = row[column];
            row.iter_mut().zip(&own).for_each(|(v, o)| *v -= factor * o);
        }
    }
    Some(rows.into_iter().map(|r| r[n..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![vec![4.0, 2.0, 0.5], vec![2.0, 3.0, 1.0], vec![0.5, 1.0, 2.0]];
        let inverse_of = inverse(&matrix).unwrap();
        for (i, row) in matrix.iter().enumerate() {
            for j in 0..3 {
                let sum: f64 = row.iter().zip(&inverse_of).map(|(a, b)| a * b[j]).sum();
                assert!((sum - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j}: {sum}");
            }
        }
        assert_eq!(inverse(&[vec![1.0, 2.0], vec![2.0, 4.0]]), None);
        assert_eq!(inverse(&[vec![0.0]]), None);
    }
}
